import type { IncomingHeaders } from '../server/engine/engine.ts'

/** What tells one state of a file from another. */
export interface Validators {
  readonly etag: string
  /** Time of the last change, in milliseconds of whole seconds, as a date header can say it. */
  readonly modifiedMs: number
}

/** What the first lines of a request say, as far as it matters for a file. */
export interface FileRequest {
  readonly method: string
  readonly headers: IncomingHeaders
}

/**
 * Validators of a file by size and time of change. A file that changed within the last two seconds
 * may change again within the resolution of its clock, so until then its tag is weak.
 */
export function validatorsOf(size: number, changedMs: number, nowMs: number): Validators {
  const tag = `"${size.toString(36)}-${Math.trunc(changedMs * 1000).toString(36)}"`
  return {
    etag: nowMs - changedMs < 2000 ? `W/${tag}` : tag,
    modifiedMs: Math.trunc(changedMs / 1000) * 1000,
  }
}

/** The status that the conditions of a GET or HEAD ask for instead of the file, or null. */
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

/** The `Range` that counts: that of a GET whose `If-Range`, if any, still names this file. */
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

// NaN for no date: every comparison with it is false, which is how a bad date has to be treated.
function httpDateMs(value: string | undefined): number {
  if (value === undefined || !/^[A-Z][a-z]{2,8},? /.test(value)) return Number.NaN
  // The oldest of the three forms names no zone and is still meant in GMT.
  return Date.parse(value.endsWith(' GMT') ? value : `${value} GMT`)
}

function text(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ')
}
