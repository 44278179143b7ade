import { acceptedTypes } from '../request/accept.ts'

/** The forms in which an error is answered. */
export const ErrorFormats = { Page: 'page', Payload: 'payload', Problem: 'problem' } as const
export type ErrorFormats = (typeof ErrorFormats)[keyof typeof ErrorFormats]

const problem = 'application/problem+json'

/**
 * The form an Accept list asks for. JSON only when it ranks first, by quality and then as listed;
 * anything else, also `*` for everything, is a page, so that nobody is refused an error.
 * Problem details (RFC 9457) are for those who name them and rank nothing above.
 */
export function errorFormat(accept: string | undefined): ErrorFormats {
  const [first, ...others] = acceptedTypes(accept ?? '')
  if (first === undefined || !isJson(first.type)) return ErrorFormats.Page
  const named = [first, ...others].find(({ type }) => type === problem)
  return named?.quality === first.quality ? ErrorFormats.Problem : ErrorFormats.Payload
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}
