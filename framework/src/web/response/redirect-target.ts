import { InvalidArgumentException } from '../../base/errors.ts'

/**
 * The `Location` for a redirect target, which must be a path of this site. Browsers take `//host` and
 * `/\host` for another site, so those are rejected too.
 * @throws InvalidArgumentException for a target on another site, unless `foreign` is set.
 */
export function redirectTarget(target: string, foreign: boolean): string {
  const local = /^\/(?![/\\])/.test(target) && !/[\\\p{Cc}]/u.test(target)
  if (local || (foreign && /^https?:\/\//i.test(target))) return encodeTarget(target)
  throw new InvalidArgumentException(
    'E_REDIRECT_FOREIGN',
    // Without the target itself: it may hold a token, and messages end up in logs and on pages.
    'a redirect target must be a path of this site; pass { foreign: true } to send visitors elsewhere',
  )
}

// Parts that are already encoded stay unchanged; only characters not allowed in a header are encoded.
function encodeTarget(target: string): string {
  return target.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part))
}
