import { acceptedTypes, preferredType } from '../request/accept.ts'

/** The formats of an error response. */
export const ErrorFormats = { Page: 'page', Payload: 'payload', Problem: 'problem' } as const
Object.freeze(ErrorFormats)
export type ErrorFormats = (typeof ErrorFormats)[keyof typeof ErrorFormats]

const problem = 'application/problem+json'

/**
 * The format an Accept header asks for. JSON if it ranks first, by quality and then in listed order, or
 * if JSON is accepted and HTML is not; otherwise a page, never a 406. Problem details (RFC 9457) only
 * if they are named and no other JSON ranks higher.
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

/** What decides about the format of an error response. */
export interface ErrorClient {
  header(name: string): string | undefined
  /** The format that the route prescribes, if any. */
  readonly errorFormat?: ErrorFormats | null
}

/** The format of the error responses to a request: that of its route, or the one it asks for. */
export function errorFormatOf(request: ErrorClient): ErrorFormats {
  return request.errorFormat ?? errorFormat(request.header('accept'))
}

/** Whether a client prefers JSON to HTML, by quality and then in listed order. */
export function wantsJson(request: ErrorClient): boolean {
  return errorFormatOf(request) !== ErrorFormats.Page
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}
