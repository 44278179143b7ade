import type { Request } from '../../http/request/request.ts'
import { SessionKeys } from '../../http/session/session-keys.ts'
import { isPageView } from '../../http/request/fetch-intent.ts'

const maxLength = 2048

/** The page that a guest asked for, and that of somebody who has to add a factor first. */
type IntendedKey = typeof SessionKeys.Intended | typeof SessionKeys.Enrolling

/**
 * Stores the URI a guest asked for, to return there after signing in. Only for page views: returning
 * to a URL polled by a script, or to a form without its fields, would be of no use.
 */
export function storeIntended(request: Request, key: IntendedKey = SessionKeys.Intended): void {
  if (isPageView(request) && isOwnPath(request.URI)) request.session.set(key, request.URI)
}

/** Takes the intended URI out of the session; null if there is none. */
export async function takeIntended(
  { session }: Request,
  key: IntendedKey = SessionKeys.Intended,
): Promise<string | null> {
  const intended = await session.get(key)
  if (intended === null) return null
  session.delete(key)
  return typeof intended === 'string' && isOwnPath(intended) ? intended : null
}

/**
 * Whether a text is a path of this site, with or without a query. In `Location`, browsers take `//host`
 * and `/\host` for another site and ignore line breaks: such texts would be open redirects, and so
 * would their percent-encoded forms, which a proxy might decode.
 */
export function isOwnPath(text: string): boolean {
  if (text.length > maxLength || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(text)) return false
  const [path = ''] = text.split('?', 1)
  try {
    return /^\/(?!\/)[^\\\p{Cc}]*$/u.test(decodeURIComponent(path))
  } catch {
    return false
  }
}
