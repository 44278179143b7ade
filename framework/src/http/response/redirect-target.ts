import { RefusedInput } from '../../base/errors.ts'

/**
 * The `Location` for a redirect target, which must be a path of this site. Browsers take `//host` and
 * `/\host` for another site, so those are rejected too.
 * @throws InvalidArgumentException for a target on another site, unless `foreign` is set; a 400 unless
 *   caught, since such a target is most often a visitor's.
 */
export function redirectTarget(target: string, foreign: boolean): string {
  const local = /^\/(?![/\\])/.test(target) && !/\p{Cc}/u.test(target)
  if (local || (foreign && /^https?:\/\//i.test(target))) return encodeTarget(target)
  throw new RefusedInput(
    'E_REDIRECT_FOREIGN',
    // Without the target itself: it may hold a token, and messages end up in logs and on pages.
    'a redirect target must be a path of this site; pass { foreign: true } to send visitors elsewhere',
  )
}

// Parts that are already encoded stay unchanged. Encoded are the characters not allowed in a header, and
// backslashes, which browsers take for slashes.
function encodeTarget(target: string): string {
  const text = target.toWellFormed()
  return text.replace(/[^\x21-\x5b\x5d-\x7e]+/g, (part) => encodeURIComponent(part))
}
