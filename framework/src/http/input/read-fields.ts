import { HttpError } from '../errors/http-error.ts'
import { maxFields } from '../request/body.ts'
import { lastValues } from '../request/query.ts'
import type { Values } from '../request/query.ts'
import type { Request } from '../request/request.ts'

/**
 * Reads the fields of a form, or of a JSON object: its texts, and `on` for `true`, as checkboxes send.
 * @throws HttpError 400 for any other JSON, 415 for a body of another type, 413 above the limits.
 */
export async function readFields(request: Request): Promise<Values> {
  if (request.type !== 'application/json') return (await request.form()).fields
  const body = await request.jsonObject()
  const names = Object.keys(body)
  if (names.length > maxFields)
    throw new HttpError(413, `a form may have at most ${maxFields} fields`)
  return lastValues(
    names.flatMap((name): [string, string][] => {
      const value = body[name] === true ? 'on' : body[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}
