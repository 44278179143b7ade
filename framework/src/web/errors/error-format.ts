import { acceptedTypes, preferredType } from '../request/accept.ts'

/** The forms in which an error is answered. */
export const ErrorFormats = { Page: 'page', Payload: 'payload', Problem: 'problem' } as const
Object.freeze(ErrorFormats)
export type ErrorFormats = (typeof ErrorFormats)[keyof typeof ErrorFormats]

const problem = 'application/problem+json'

/**
 * The form an Accept list asks for. JSON when it ranks first, by quality and then as listed, or when
 * the list takes JSON and no HTML; anything else, also `*` for everything, is a page, so that nobody
 * is refused an error. Problem details (RFC 9457) are for those who name them and rank no other JSON
 * above.
 */
export function errorFormat(accept: string | undefined): ErrorFormats {
  const types = acceptedTypes(accept ?? '')
  const [first] = types
  if (first === undefined) return ErrorFormats.Page
  if (!isJson(first.type) && preferredType(accept, ['text/html']) !== null) return ErrorFormats.Page
  const takesJson = preferredType(accept, ['application/json']) !== null
  const json = types.find(({ type }) => isJson(type) || (type === 'application/*' && takesJson))
  if (json === undefined) return ErrorFormats.Page
  const named = types.find(({ type }) => type === problem)
  return named?.quality === json.quality ? ErrorFormats.Problem : ErrorFormats.Payload
}

/** Whether a client ranks JSON first, by quality and then as listed, or takes JSON and no HTML. */
export function wantsJson(request: { header(name: string): string | undefined }): boolean {
  return errorFormat(request.header('accept')) !== ErrorFormats.Page
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}
