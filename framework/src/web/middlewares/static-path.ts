import { HttpError } from '../errors/http-error.ts'

/** Characters that would let one name reach across folders, however the system reads it. */
const encodedSeparator = /%(?:2f|5c|00)/i
const forbidden = /[\\\p{Cc}]|\/\//u
const relativeSegment = /(?:^|\/)\.{1,2}(?:\/|$)/
const hiddenSegment = /(?:^|\/)\./

/**
 * The path of a file below a folder that a request path means, decoded once and without a leading
 * slash; null when no file may be meant by it: anything that climbs, hides or reads in two ways.
 * @throws HttpError 400 when the percent-encoding is broken.
 */
export function staticPath(path: string, prefix: string, dotfiles: boolean): string | null {
  if (!path.startsWith(prefix) || encodedSeparator.test(path)) return null
  const relative = decode(path.slice(prefix.length))
  if (relative.startsWith('/') || forbidden.test(relative)) return null
  const refused = dotfiles ? relativeSegment : hiddenSegment
  return refused.test(relative) ? null : relative
}

/** Whether a relative path goes through a name that begins with a dot. */
export function isHidden(relative: string): boolean {
  return hiddenSegment.test(relative)
}

function decode(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    throw new HttpError(400, 'the percent-encoding of the path is broken', { cause })
  }
}
