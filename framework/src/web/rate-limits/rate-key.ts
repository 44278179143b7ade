import { isForm } from '../request/form.ts'
import type { Request } from '../request/request.ts'

/** Whom a request is counted for; null for one that is not counted. */
export type RateKey = (request: Request) => string | null | Promise<string | null>

/**
 * Counts by a field of the body, form or JSON, such as the e-mail of who signs in: in the one form that
 * `normal` gives, so that another spelling is no way around the limit. A request without it is not
 * counted, nor one that `normal` answers with null.
 * @param normal How a value is normalised: by default trimmed and in lower case; `normalEmail` for e-mails.
 * @throws HttpError, later, for a body that cannot be read.
 */
export function fieldKey(
  name: string,
  normal: (text: string) => string | null = trimmedLowerCase,
): RateKey {
  return async (request) => {
    const value = await fieldOf(request, name)
    return typeof value === 'string' ? normal(value) || null : null
  }
}

function trimmedLowerCase(text: string): string {
  return text.trim().toLowerCase()
}

async function fieldOf(request: Request, name: string): Promise<unknown> {
  if (!request.hasBody) return null
  if (isForm(request.type)) return (await request.form()).fields[name]
  if (request.type !== 'application/json') return null
  const body = new Map(Object.entries(Object(await request.json())))
  return body.get(name)
}
