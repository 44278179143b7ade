import type { Request } from './request.ts'

/**
 * The token in the `Authorization` header of a request; null if the header is missing or of another
 * scheme. Browsers never add this header by themselves, so a page of another site cannot make them send
 * it, except where CORS allows that.
 */
export function bearerText(request: Pick<Request, 'header'>): string | null {
  const [, text] = /^bearer +(\S*) *$/i.exec(request.header('authorization') ?? '') ?? []
  return text ?? null
}
