import { HttpError } from '../errors/http-error.ts'

/** Encoded separators and NUL, which could let a name reach into another folder. */
const encodedSeparator = /%(?:2f|5c|00)/i
const forbidden = /[\\\p{Cc}]|\/\//u
const relativeSegment = /(?:^|\/)\.{1,2}(?:\/|$)/
const hiddenSegment = /(?:^|\/)\./

/**
 * The relative file path for a request path, decoded once and without a leading slash; null if it must
 * not be served: with `..`, dotfiles, or characters that could be read in two ways.
 * @throws HttpError 400 for invalid percent-encoding.
 */
export function staticPath(path: string, prefix: string, dotfiles: boolean): string | null {
  if (!path.startsWith(prefix) || encodedSeparator.test(path)) return null
  const relative = decode(path.slice(prefix.length))
  if (relative.startsWith('/') || forbidden.test(relative)) return null
  const forbiddenSegment = dotfiles ? relativeSegment : hiddenSegment
  return forbiddenSegment.test(relative) ? null : relative
}

/** Whether a segment of a relative path begins with a dot. */
export function isHidden(relative: string): boolean {
  return hiddenSegment.test(relative)
}

function decode(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    throw new HttpError(400, 'the percent-encoding of the path is invalid', { cause })
  }
}
