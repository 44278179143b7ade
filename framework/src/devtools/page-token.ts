import { csrfToken } from '../http/middlewares/csrf-token.ts'
import type { Request } from '../http/request/request.ts'

/**
 * The CSRF token for the script of a page for developers; empty without sessions. The store may not
 * answer, and such pages are needed most when something is broken.
 */
export async function pageToken(request: Request): Promise<string> {
  if (request.sessions === null) return ''
  return csrfToken(request).catch(() => '')
}
