import { constants } from 'node:fs'
import type { Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { HttpError } from '../errors/http-error.ts'
import { attachment } from './attachment.ts'
import { byteRange } from './byte-range.ts'
import type { ByteRange } from './byte-range.ts'
import { contentTypeOf } from './content-type.ts'
import { FileBody, readRange } from './file-body.ts'
import { precondition, rangeHeader, validatorsOf } from './validators.ts'
import type { FileRequest } from './validators.ts'

/** How a file is sent. */
export interface FileOptions {
  /** Media type; by the file's extension when not given. */
  readonly type?: string
  /** Seconds caches, shared ones too, may keep it. Without it nothing is said about caching. */
  readonly maxAge?: number
  /** The file never changes under this URL; kept for a year unless `maxAge` says otherwise. */
  readonly immutable?: boolean
  /** Saves instead of shows: under the file's own name, or another. */
  readonly download?: string | true
  /** Sends files whose own name begins with a dot, which are mostly secrets. */
  readonly dotfiles?: boolean
}

/** A file as an answer. Streams come with their `Content-Length`, bytes without. */
export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 412 | 416
  readonly headers: readonly [name: string, value: string][]
  readonly body: Readable | Uint8Array | null
}

const year = 31_536_000

/** Up to here a file is read at once: a stream costs more than the memory. */
const wholeBytes = 65_536

/** Reasons for which there is no such file, as far as a client may know. */
const absent = new Set<unknown>(
  'ENOENT ENOTDIR EISDIR EACCES EPERM ELOOP ENAMETOOLONG ENXIO ENODEV EINVAL'.split(' '),
)

/**
 * Answers with a file: conditions, one range, caching. Several ranges get the whole file.
 * @throws HttpError 404 when there is none: missing, forbidden, a folder, a device, a dotfile.
 */
export async function answerFile(
  path: string,
  request: FileRequest,
  options: FileOptions = {},
): Promise<FileAnswer> {
  const handle = await openFile(path, options)
  let kept = false
  try {
    // Asked of the open handle: between a look at the path and its opening it may become another.
    const stat = await handle.stat()
    if (!stat.isFile()) throw notFound(path)
    const answer = await answerFrom(handle, stat, path, request, options)
    kept = answer.body instanceof FileBody
    return answer
  } finally {
    if (!kept) await handle.close()
  }
}

async function answerFrom(
  handle: FileHandle,
  stat: Stats,
  path: string,
  request: FileRequest,
  options: FileOptions,
): Promise<FileAnswer> {
  const { size } = stat
  const validators = validatorsOf(size, stat.mtimeMs, Date.now())
  const headers: [string, string][] = [
    ['ETag', validators.etag],
    ['Last-Modified', new Date(validators.modifiedMs).toUTCString()],
    ...cacheControl(options),
  ]
  const refused = precondition(request, validators)
  if (refused !== null) return { status: refused, headers, body: null }

  headers.push(['Accept-Ranges', 'bytes'])
  const range = byteRange(rangeHeader(request, validators), size)
  if (range === 'unsatisfiable') {
    return { status: 416, headers: [...headers, ['Content-Range', `bytes */${size}`]], body: null }
  }
  headers.push(['Content-Type', options.type ?? contentTypeOf(path)])
  if (options.download !== undefined) {
    headers.push([
      'Content-Disposition',
      attachment(options.download === true ? basename(path) : options.download),
    ])
  }
  if (range !== null) headers.push(['Content-Range', contentRange(range, size)])
  const part = range ?? { start: 0, length: size }
  const status = range === null ? 200 : 206
  if (request.method !== 'HEAD' && part.length <= wholeBytes) {
    return { status, headers, body: await readWhole(handle, part, path) }
  }
  headers.push(['Content-Length', String(part.length)])
  // A stream that is never read carries the length of a body that is never sent.
  const body = request.method === 'HEAD' ? Readable.from([]) : new FileBody(handle, part)
  return { status, headers, body }
}

async function openFile(path: string, { dotfiles = false }: FileOptions): Promise<FileHandle> {
  if (path.includes('\0') || (!dotfiles && basename(path).startsWith('.'))) throw notFound(path)
  try {
    // Without O_NONBLOCK the opening of a pipe waits for somebody to write into it.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(error.code))
      throw notFound(path, error)
    throw error
  }
}

async function readWhole(handle: FileHandle, part: ByteRange, path: string): Promise<Buffer> {
  const bytes = await readRange(handle, part)
  if (bytes === null) throw new HttpError(503, `file "${path}" became shorter while it was read`)
  return bytes
}

function cacheControl({ maxAge, immutable = false }: FileOptions): [string, string][] {
  if (maxAge === undefined && !immutable) return []
  const kept = `public, max-age=${Math.trunc(maxAge ?? year)}`
  return [['Cache-Control', immutable ? `${kept}, immutable` : kept]]
}

function contentRange({ start, length }: ByteRange, size: number): string {
  return `bytes ${start}-${start + length - 1}/${size}`
}

function notFound(path: string, cause?: Error): HttpError {
  return new HttpError(404, `there is no file "${path}" to send`, { cause })
}
