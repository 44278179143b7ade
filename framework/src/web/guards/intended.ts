import type { Request } from '../request/request.ts'
import { SessionKeys } from '../session/session-keys.ts'
import { isPageView } from '../request/fetch-intent.ts'

const longest = 2048

/**
 * Notes where a guest wanted to go, for after the sign-in. Only pages are noted, that is a GET which a
 * browser means to show: to come back from the sign-in to what a script has polled, or to send a form
 * again without its fields, is what nobody wants.
 */
export function noteIntended(request: Request): void {
  if (isPageView(request) && isOwnPath(request.URI)) {
    request.session.set(SessionKeys.Intended, request.URI)
  }
}

/** Where a guest wanted to go, which is taken out of the session; null when nothing was noted. */
export async function takeIntended({ session }: Request): Promise<string | null> {
  const noted = await session.get(SessionKeys.Intended)
  if (noted === null) return null
  session.delete(SessionKeys.Intended)
  return typeof noted === 'string' && isOwnPath(noted) ? noted : null
}

/**
 * Whether a text is a path of this site, with or without a query. Browsers read `//host` and `/\host`
 * as another site and drop line breaks, so such a text would lead away from here once it stands in
 * `Location`; what a proxy on the way might decode to one is refused too.
 */
export function isOwnPath(text: string): boolean {
  if (text.length > longest || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(text)) return false
  const [path = ''] = text.split('?', 1)
  try {
    return /^\/(?!\/)[^\\\p{Cc}]*$/u.test(decodeURIComponent(path))
  } catch {
    return false
  }
}
