import type { Request } from '../request/request.ts'

/** The validators of a file for conditional requests. */
export interface Validators {
  readonly etag: string
  /** Time of the last change, rounded down to whole seconds as in a date header. */
  readonly modifiedMs: number
}

/** The parts of a request that matter for a file. */
export type FileRequest = Pick<Request, 'method' | 'headers'>

/**
 * Validators from size and modification time. A file changed within the last two seconds may change
 * again without a different timestamp, so until then its tag is weak.
 */
export function validatorsOf(size: number, changedMs: number, nowMs: number): Validators {
  const tag = `"${size.toString(36)}-${Math.trunc(changedMs * 1000).toString(36)}"`
  return {
    etag: nowMs - changedMs < 2000 ? `W/${tag}` : tag,
    modifiedMs: Math.trunc(changedMs / 1000) * 1000,
  }
}

/** The status to send instead of the file because of a condition of the GET or HEAD request, or null. */
export function precondition({ method, headers }: FileRequest, file: Validators): 304 | 412 | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const match = text(headers['if-match'])
  const unmodified = httpDateMs(text(headers['if-unmodified-since']))
  if (match !== undefined) {
    if (match.trim() !== '*' && !tagsIn(match).some((tag) => isSameStrong(tag, file.etag)))
      return 412
  } else if (file.modifiedMs > unmodified) return 412

  const noneMatch = text(headers['if-none-match'])
  if (noneMatch !== undefined) {
    if (noneMatch.trim() === '*') return 304
    return tagsIn(noneMatch).some((tag) => opaque(tag) === opaque(file.etag)) ? 304 : null
  }
  return file.modifiedMs <= httpDateMs(text(headers['if-modified-since'])) ? 304 : null
}

/** The `Range` of a GET request, unless its `If-Range` names another version of the file. */
export function rangeHeader(
  { method, headers }: FileRequest,
  file: Validators,
): string | undefined {
  const range = text(headers['range'])
  const condition = text(headers['if-range'])
  if (method !== 'GET' || range === undefined) return undefined
  if (condition === undefined) return range
  const isTag = condition.includes('"')
  const same = isTag
    ? isSameStrong(condition.trim(), file.etag)
    : !isWeak(file.etag) && httpDateMs(condition) === file.modifiedMs
  return same ? range : undefined
}

function tagsIn(list: string): string[] {
  return list.match(/(?:W\/)?"[^"]*"/g) ?? []
}

function isSameStrong(given: string, etag: string): boolean {
  return given === etag && !isWeak(etag)
}

function isWeak(tag: string): boolean {
  return tag.startsWith('W/')
}

function opaque(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag
}

// NaN if it is not a date: every comparison with it is false, as required for an invalid date.
function httpDateMs(value: string | undefined): number {
  if (value === undefined || !/^[A-Z][a-z]{2,8},? /.test(value)) return Number.NaN
  // The oldest of the three formats has no time zone and means GMT.
  return Date.parse(value.endsWith(' GMT') ? value : `${value} GMT`)
}

function text(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ')
}
