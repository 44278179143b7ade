import { isForm } from '../request/form.ts'
import { readFields } from '../input/read-fields.ts'
import type { Request } from '../request/request.ts'

/** Returns the key a request is counted by; null for a request that is not counted. */
export type RateKey = (request: Request) => string | null | Promise<string | null>

/**
 * Counts by a field of the form or JSON body, such as the e-mail of a sign-in. The value is normalised,
 * so that another spelling is not a way around the limit. A request without a value is not counted.
 * @param normal Normalises a value, or returns null: by default trims and lower-cases it; use
 *   `normalEmail` for e-mails.
 * @throws HttpError, asynchronously, for a body that cannot be read.
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
  if (!isForm(request.type) && request.type !== 'application/json') return null
  return (await readFields(request))[name]
}
