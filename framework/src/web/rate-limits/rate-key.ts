import { isForm } from '../request/form.ts'
import type { Request } from '../request/request.ts'

/** Whom a request is counted for; null for one that is not counted. */
export type RateKey = (request: Request) => string | null | Promise<string | null>

/**
 * Counts by a field of the body, form or JSON, such as the e-mail of who signs in: without regard to
 * case and the blanks around it, so that neither is a way around the limit. A request without it is
 * not counted.
 * @throws HttpError, later, for a body that cannot be read.
 */
export function fieldKey(name: string): RateKey {
  return async (request) => {
    const value = await fieldOf(request, name)
    if (typeof value !== 'string') return null
    const key = value.trim().toLowerCase()
    return key === '' ? null : key
  }
}

async function fieldOf(request: Request, name: string): Promise<unknown> {
  if (!request.hasBody) return null
  if (isForm(request.type)) return (await request.form()).fields[name]
  if (request.type !== 'application/json') return null
  const body = new Map(Object.entries(Object(await request.json())))
  return body.get(name)
}
