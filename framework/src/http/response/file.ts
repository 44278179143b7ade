import { constants } from 'node:fs'
import type { Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { Writable } from 'node:stream'
import { HttpError } from '../errors/http-error.ts'
import type { SendsItself } from '../server/engine/engine.ts'
import { attachment } from './attachment.ts'
import { contentTypeOf } from './content-type.ts'
import { precondition, rangeHeader, validatorsOf } from './validators.ts'
import type { FileRequest } from './validators.ts'

/** Options of `response.file`. */
export interface FileOptions {
  /**
   * Media type.
   * @default the type of the file's extension
   */
  readonly type?: string
  /** `max-age` in seconds, for shared caches too. Without it no `Cache-Control` is sent. */
  readonly maxAge?: number
  /** Promises that the file never changes under this URL; cached for a year unless `maxAge` is set. */
  readonly immutable?: boolean
  /** Makes browsers save the file, under its own name or the given one. */
  readonly download?: string | true
  /**
   * Whether to send files whose name begins with a dot; they often hold secrets.
   * @default false
   */
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
const notFoundCodes = new Set<unknown>(
  'ENOENT ENOTDIR EISDIR EACCES EPERM ELOOP ENAMETOOLONG ENXIO ENODEV EINVAL'.split(' '),
)

/**
 * Responds with a file, with conditional requests, caching and a single range; a request for several
 * ranges gets the whole file.
 * @throws HttpError 404 if it is missing, unreadable, a folder, a device or a dotfile.
 */
export async function fileResponse(
  path: string,
  request: FileRequest,
  options: FileOptions = {},
): Promise<FileResponse> {
  const handle = await openFile(path, options)
  let kept = false
  try {
    // Of the open handle: the file at the path could be replaced between stat and open.
    const stat = await handle.stat()
    if (!stat.isFile()) throw notFound(path)
    const response = await responseFrom(handle, stat, path, request, options)
    kept = response.body instanceof FileBody
    return response
  } finally {
    if (!kept) await handle.close()
  }
}

async function openFile(path: string, { dotfiles = false }: FileOptions): Promise<FileHandle> {
  if (path.includes('\0') || (!dotfiles && basename(path).startsWith('.'))) throw notFound(path)
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && notFoundCodes.has(error.code))
      throw notFound(path, error)
    throw error
  }
}

function notFound(path: string, cause?: Error): HttpError {
  return new HttpError(404, `file "${path}" not found`, { cause })
}

async function responseFrom(
  handle: FileHandle,
  stat: Stats,
  path: string,
  request: FileRequest,
  options: FileOptions,
): Promise<FileResponse> {
  const { size } = stat
  const validators = validatorsOf(size, stat.mtimeMs, Date.now())
  const headers: [string, string][] = [
    ['ETag', validators.etag],
    ['Last-Modified', new Date(validators.modifiedMs).toUTCString()],
    ...cacheControl(options),
  ]
  const earlyStatus = precondition(request, validators)
  if (earlyStatus !== null) return { status: earlyStatus, headers, body: null }

  headers.push(['Accept-Ranges', 'bytes'])
  const range = byteRange(rangeHeader(request, validators), size)
  if (range === 'unsatisfiable') {
    return { status: 416, headers: [...headers, ['Content-Range', `bytes */${size}`]], body: null }
  }
  headers.push(['Content-Type', options.type ?? contentTypeOf(path)])
  if (options.download !== undefined) {
    const name = options.download === true ? basename(path) : options.download
    headers.push(['Content-Disposition', attachment(name)])
  }
  if (range !== null) {
    const end = range.start + range.length - 1
    headers.push(['Content-Range', `bytes ${range.start}-${end}/${size}`])
  }
  const part = range ?? { start: 0, length: size }
  const status = range === null ? 200 : 206
  if (request.method !== 'HEAD' && part.length <= maxBufferedBytes) {
    return { status, headers, body: await readPart(handle, part, path) }
  }
  headers.push(['Content-Length', String(part.length)])
  // For HEAD, an empty stream: only streams keep the `Content-Length` set above.
  const body = request.method === 'HEAD' ? Readable.from([]) : new FileBody(handle, part)
  return { status, headers, body }
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
