import { InvalidArgumentException } from '../../base/errors.ts'

/**
 * A redirect target as it may stand in `Location`: a path of this site. Browsers read `//host` and
 * `/\host` as another site, so those are not paths.
 * @throws InvalidArgumentException for a target elsewhere, unless `foreign` allows it.
 */
export function redirectTarget(target: string, foreign: boolean): string {
  const local = /^\/(?![/\\])/.test(target) && !/[\\\p{Cc}]/u.test(target)
  if (local || (foreign && /^https?:\/\//i.test(target))) return encodeTarget(target)
  throw new InvalidArgumentException(
    'E_REDIRECT_FOREIGN',
    `redirect target "${target}" is not a path of this site; pass { foreign: true } to send visitors elsewhere`,
  )
}

// Already encoded parts stay as they are; only what may not stand in a header is encoded.
function encodeTarget(target: string): string {
  return target.replace(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part))
}
