import { constants } from 'node:fs'
import type { Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { Writable } from 'node:stream'
import { hasCode } from '../../base/errors.ts'
import { attachment } from '../../base/files/attachment.ts'
import { contentTypeOf } from '../../base/files/content-type.ts'
import type { Disk } from '../../storage/disk.ts'
import { HttpError } from '../errors/http-error.ts'
import type { SendsItself } from '../server/engine/engine.ts'
import { precondition, rangeHeader, validatorsOf } from './validators.ts'
import type { FileRequest, Validators } from './validators.ts'

/** Options of `response.file`. */
export interface FileOptions {
  /** Media type. @default the type of the file's extension */
  readonly type?: string
  /** `max-age` in seconds, for shared caches too. Without it no `Cache-Control` is sent. */
  readonly maxAge?: number
  /** Promises that the file never changes under this URL; cached for a year unless `maxAge` is set. */
  readonly immutable?: boolean
  /** Makes browsers save the file, under its own name or the given one. */
  readonly download?: string | true
  /** Whether to send files whose name begins with a dot; they often hold secrets. @default false */
  readonly dotfiles?: boolean
}

/** The response for a file. Only streams have a `Content-Length` in `headers`. */
export interface FileResponse {
  readonly status: 200 | 206 | 304 | 412 | 416
  readonly headers: readonly [name: string, value: string][]
  readonly body: Readable | Uint8Array | null
}

const year = 31_536_000

/** Files up to this size are read into memory: a stream would cost more. */
const maxBufferedBytes = 65_536

/** Error codes that a client sees as 404. */
const notFoundCodes =
  'ENOENT ENOTDIR EISDIR EACCES EPERM ELOOP ENAMETOOLONG ENXIO ENODEV EINVAL'.split(' ')

/**
 * Responds with a file, with conditional requests, caching and a single range; a request for several
 * ranges gets the whole file. A small file is taken from `kept`, and stays there.
 * @throws HttpError 404 if it is missing, unreadable, a folder, a device or a dotfile.
 */
export async function fileResponse(
  path: string,
  request: FileRequest,
  options: FileOptions = {},
  kept: KeptFiles | null = null,
): Promise<FileResponse> {
  const handle = await openFile(path, options)
  let streamed = false
  try {
    // Of the open handle: the file at the path could be replaced between stat and open.
    const stat = await handle.stat()
    if (!stat.isFile()) throw notFound(path)
    const file = kept === null ? null : await kept.update(handle, stat, path)
    if (file !== null) return keptResponse(file, request, options)
    const response = await responseFrom(handle, stat, path, request, options)
    streamed = response.body instanceof FileBody
    return response
  } finally {
    if (!streamed) await handle.close()
  }
}

/** Options of `response.stored`. */
export interface StoredOptions extends Pick<FileOptions, 'maxAge' | 'immutable'> {
  /** The name under which it is saved. @default the end of its key */
  readonly download?: string
  /** Lets browsers show it instead of saving it: only what cannot have scripts. @default false */
  readonly inline?: boolean
}

/**
 * Responds with an object of a disk, of the type that it has by its content, which browsers save.
 * @throws HttpError 404 if there is none.
 */
export async function storedResponse(
  disk: Pick<Disk, 'find' | 'get'>,
  key: string,
  request: FileRequest,
  { inline = false, download = basename(key), ...caching }: StoredOptions = {},
): Promise<FileResponse> {
  const object = await disk.find(key)
  if (object === null) throw notFound(key)
  const { size, type, etag, modified } = object
  const options = { type, ...caching, ...(!inline && { download }) }
  const validators = { etag, modifiedMs: modified * 1000 }
  const { status, headers, part } = headOf(key, size, validators, request, options)
  headers.push(['X-Content-Type-Options', 'nosniff'])
  if (part === null) return { status, headers, body: null }
  headers.push(['Content-Length', String(part.length)])
  const isEmpty = request.method === 'HEAD' || part.length === 0
  const body = isEmpty ? Readable.from([]) : await disk.get(key, { ...part, etag })
  return { status, headers, body }
}

/** A file in memory. */
interface KeptFile {
  readonly path: string
  readonly bytes: Buffer
  readonly validators: Validators
  readonly stamp: string
}

/** Files up to this size are kept, and of all of them so many bytes. */
const maxKeptFileBytes = 1_048_576
const maxKeptBytes = 33_554_432

/** Small files in memory. Those that were not looked at for longest make room for others. */
export class KeptFiles {
  readonly #files = new Map<string, KeptFile>()
  #bytes = 0

  get(path: string): KeptFile | undefined {
    return this.#files.get(path)
  }

  /** The file as it is now, read only if it has changed. Null for one that is not kept. */
  async update(handle: FileHandle, stat: Stats, path: string): Promise<KeptFile | null> {
    const nowMs = Date.now()
    const stamp = stampOf(stat)
    // Of a file that has just changed the next change may not show.
    const isSettled = nowMs - Math.max(stat.mtimeMs, stat.ctimeMs) >= 2000
    if (stat.size > maxKeptFileBytes || !isSettled) return this.#replace(path, null)
    const before = this.#files.get(path)
    if (before?.stamp === stamp) return this.#replace(path, before)
    const bytes = await readPart(handle, { start: 0, length: stat.size }, path)
    const validators = validatorsOf(stat.size, stat.mtimeMs, nowMs)
    // Several requests may have read it at once: all send the same bytes.
    const other = this.#files.get(path)
    return this.#replace(path, other?.stamp === stamp ? other : { path, bytes, validators, stamp })
  }

  #replace(path: string, file: KeptFile | null): KeptFile | null {
    this.#bytes += (file?.bytes.length ?? 0) - (this.#files.get(path)?.bytes.length ?? 0)
    this.#files.delete(path)
    if (file !== null) this.#files.set(path, file)
    for (const [oldest, { bytes }] of this.#files) {
      if (this.#bytes <= maxKeptBytes) break
      this.#files.delete(oldest)
      this.#bytes -= bytes.length
    }
    return file
  }
}

/** A text that changes when a file is changed or replaced. */
export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
}

/** The response for a file in memory. The body of a whole file is the same object each time. */
export function keptResponse(
  { path, bytes, validators }: KeptFile,
  request: FileRequest,
  options: FileOptions,
): FileResponse {
  const { status, headers, part } = headOf(path, bytes.length, validators, request, options)
  if (part === null) return { status, headers, body: null }
  const isWhole = part.length === bytes.length
  const body = isWhole ? bytes : bytes.subarray(part.start, part.start + part.length)
  return { status, headers, body }
}

async function openFile(path: string, { dotfiles = false }: FileOptions): Promise<FileHandle> {
  if (path.includes('\0') || (!dotfiles && basename(path).startsWith('.'))) throw notFound(path)
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    throw hasCode(error, ...notFoundCodes) ? notFound(path, error) : error
  }
}

function notFound(path: string, cause?: unknown): HttpError {
  return new HttpError(404, `file "${path}" not found`, { cause })
}

async function responseFrom(
  handle: FileHandle,
  { size, mtimeMs }: Stats,
  path: string,
  request: FileRequest,
  options: FileOptions,
): Promise<FileResponse> {
  const validators = validatorsOf(size, mtimeMs, Date.now())
  const { status, headers, part } = headOf(path, size, validators, request, options)
  if (part === null) return { status, headers, body: null }
  if (request.method !== 'HEAD' && part.length <= maxBufferedBytes) {
    return { status, headers, body: await readPart(handle, part, path) }
  }
  headers.push(['Content-Length', String(part.length)])
  // For HEAD, an empty stream: only streams keep the `Content-Length` set above.
  const body = request.method === 'HEAD' ? Readable.from([]) : new FileBody(handle, part)
  return { status, headers, body }
}

/** The head of the response for a file, and the part of it to send; null for none. */
interface FileHead {
  readonly status: FileResponse['status']
  readonly headers: [name: string, value: string][]
  readonly part: ByteRange | null
}

function headOf(
  path: string,
  size: number,
  validators: Validators,
  request: FileRequest,
  options: FileOptions,
): FileHead {
  const headers: [string, string][] = [
    ['ETag', validators.etag],
    ['Last-Modified', new Date(validators.modifiedMs).toUTCString()],
    ...cacheControl(options),
  ]
  const earlyStatus = precondition(request, validators)
  if (earlyStatus !== null) return { status: earlyStatus, headers, part: null }

  headers.push(['Accept-Ranges', 'bytes'])
  const range = byteRange(rangeHeader(request, validators), size)
  if (range === 'unsatisfiable') {
    return { status: 416, headers: [...headers, ['Content-Range', `bytes */${size}`]], part: null }
  }
  headers.push(['Content-Type', options.type ?? contentTypeOf(path)])
  if (options.download !== undefined) {
    const name = options.download === true ? basename(path) : options.download
    headers.push(['Content-Disposition', attachment(name)])
  }
  if (range === null) return { status: 200, headers, part: { start: 0, length: size } }
  const end = range.start + range.length - 1
  headers.push(['Content-Range', `bytes ${range.start}-${end}/${size}`])
  return { status: 206, headers, part: range }
}

function cacheControl({ maxAge, immutable = false }: FileOptions): [string, string][] {
  if (maxAge === undefined && !immutable) return []
  const kept = `public, max-age=${Math.trunc(maxAge ?? year)}`
  return [['Cache-Control', immutable ? `${kept}, immutable` : kept]]
}

/** Part of a file: `length` bytes from `start`. */
interface ByteRange {
  readonly start: number
  readonly length: number
}

/**
 * The requested range. Null means the whole file: there is no range, a malformed one, or several,
 * which a server may ignore and which are mostly used for attacks. `unsatisfiable` if it lies outside.
 */
function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, length }
  }
  const start = Number(first)
  const end = last === '' ? Infinity : Number(last)
  if (end < start) return null
  if (start >= size) return 'unsatisfiable'
  return { start, length: Math.min(end, size - 1) - start + 1 }
}

async function readPart(
  handle: FileHandle,
  { start, length }: ByteRange,
  path: string,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled)
    if (bytesRead === 0) {
      throw new HttpError(503, `file "${path}" became shorter while it was being read`)
    }
    filled += bytesRead
  }
  return buffer
}

const chunkBytes = 65_536

/** As much as a stream has in memory: a chunk that is read and one that is sent. */
const reusedBytes = 131_072

/**
 * Part of an open file as a stream. It yields exactly `length` bytes or fails: with a response shorter
 * than its `Content-Length`, the client would read the next response as its rest. It owns the handle
 * and always closes it, even if it is never read.
 */
class FileBody extends Readable implements SendsItself {
  readonly #handle: FileHandle
  #position: number
  #left: number
  #isSent = false

  constructor(handle: FileHandle, { start, length }: ByteRange) {
    super({ highWaterMark: chunkBytes })
    this.#handle = handle
    this.#position = start
    this.#left = length
  }

  override _read(): void {
    if (this.#isSent) return
    if (this.#left === 0) this.push(null)
    else this.#readInto(Buffer.allocUnsafeSlow(chunkBytes), (chunk) => this.push(chunk))
  }

  sendTo(receiver: Writable): Promise<void> {
    this.#isSent = true
    const buffer = Buffer.allocUnsafeSlow(Math.min(this.#left, reusedBytes))
    const write = (chunk: Buffer): void => void receiver.write(chunk, proceed)
    const proceed = (failure?: Error | null): void => {
      // The client has disconnected, and the receiver closes.
      if (failure) return
      if (this.#left === 0) receiver.end()
      else this.#readInto(buffer, write)
    }
    return new Promise((resolve, reject) => {
      receiver.once('close', () => this.destroy())
      this.once('error', reject).once('close', resolve)
      const first: Buffer | null = this.read()
      if (first === null) proceed()
      else write(first)
    })
  }

  override _destroy(reason: Error | null, finish: (error?: Error | null) => void): void {
    this.#handle.close().then(
      () => finish(reason),
      (failure: Error) => finish(reason ?? failure),
    )
  }

  #readInto(buffer: Buffer, use: (chunk: Buffer) => void): void {
    const length = Math.min(this.#left, buffer.length)
    this.#handle.read(buffer, 0, length, this.#position).then(
      ({ bytesRead }) => this.#advance(buffer.subarray(0, bytesRead), use),
      (error: Error) => this.destroy(error),
    )
  }

  #advance(chunk: Buffer, use: (chunk: Buffer) => void): void {
    if (chunk.length === 0) {
      const reason = `the file became shorter while it was being sent: ${this.#left} bytes are missing`
      this.destroy(new Error(reason))
      return
    }
    this.#position += chunk.length
    this.#left -= chunk.length
    use(chunk)
  }
}
