import { Readable, pipeline } from 'node:stream'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import type { ZstdOptions } from 'node:zlib'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/middleware.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { chooseEncodings } from './accept-encoding.ts'
import type { Encoding, EncodingChoice } from './accept-encoding.ts'

/** Options of `Compression`. */
export interface CompressionOptions {
  /** Minimum size in bytes; streams are always compressed. @default 1024 */
  readonly threshold?: number
  /** Offered codings, the preferred one first. @default ['zstd', 'br', 'gzip'] */
  readonly encodings?: readonly Encoding[]
}

/** One content coding. */
interface Encoder {
  /**
   * Up to this size a body is compressed in place: that takes about half a millisecond, and to hand
   * it to another thread and back costs more than a page needs.
   */
  readonly maxInPlace: number
  now(bytes: Uint8Array): Buffer
  later(bytes: Uint8Array): Promise<Buffer>
  /** As small as it gets, which takes up to a hundred times as long. */
  best(bytes: Uint8Array): Promise<Buffer>
  stream(): Transform
}

const { BROTLI_PARAM_QUALITY, ZSTD_c_compressionLevel } = constants

// Levels for dynamic responses: of an HTML page of 8 kB zstd makes 2.1 kB in 40 µs, gzip 2.0 kB in 60 µs,
// brotli 2.0 kB in 150 µs.
const fastBrotli = { params: { [BROTLI_PARAM_QUALITY]: 4 } }
const fastZstd = { params: { [ZSTD_c_compressionLevel]: 3 } }
const bestZstd = { params: { [ZSTD_c_compressionLevel]: 19 } }
const fastGzip = { level: 4 }

const brotliLater = promisify(brotliCompress)
const gzipLater = promisify(gzip)
// Without the size zstd prepares for megabytes, which takes longer than to compress a page.
const zstdLater = (bytes: Uint8Array, options: ZstdOptions): Promise<Buffer> =>
  promisify(zstdCompress)(bytes, { ...options, pledgedSrcSize: bytes.length })

const encoders: Readonly<Record<Encoding, Encoder>> = {
  br: {
    maxInPlace: 16_384,
    now: (bytes) => brotliCompressSync(bytes, fastBrotli),
    later: (bytes) => brotliLater(bytes, fastBrotli),
    best: (bytes) => brotliLater(bytes, { params: { [BROTLI_PARAM_QUALITY]: 11 } }),
    stream: () => createBrotliCompress(fastBrotli),
  },
  zstd: {
    maxInPlace: 65_536,
    now: (bytes) => zstdCompressSync(bytes, fastZstd),
    later: (bytes) => zstdLater(bytes, fastZstd),
    best: (bytes) => zstdLater(bytes, bestZstd),
    stream: () => createZstdCompress(fastZstd),
  },
  gzip: {
    maxInPlace: 16_384,
    now: (bytes) => gzipSync(bytes, fastGzip),
    later: (bytes) => gzipLater(bytes, fastGzip),
    best: (bytes) => gzipLater(bytes, { level: 9 }),
    stream: () => createGzip(fastGzip),
  },
}

/** Browsers send few different headers; the bound keeps made-up ones from filling the memory. */
const maxChoices = 100

/**
 * Compresses responses of compressible types. Put it outside the middlewares that fill the response. If
 * a page shows both a secret and input of the request, its compressed length reveals the secret byte by
 * byte (BREACH): mask such secrets anew in each response, as the CSRF token is, or send
 * `Cache-Control: no-transform`, which turns compression off.
 */
export class Compression implements MiddlewareObject {
  readonly #threshold: number
  readonly #choose: (accept: string) => EncodingChoice
  readonly #choices = new RecentTexts<EncodingChoice>(maxChoices)

  constructor({ threshold = 1024, encodings = ['zstd', 'br', 'gzip'] }: CompressionOptions = {}) {
    this.#threshold = threshold
    this.#choose = (accept) => chooseEncodings(accept, encodings)
  }

  process(request: Request, _response: Response, next: Next): Response | Promise<Response> {
    return mapResponse(next(), (response) => this.#encode(request, response))
  }

  #encode(request: Request, response: Response): Response | Promise<Response> {
    const { body } = response
    if (body === null || body === undefined) return response
    const type = response.headers.get('Content-Type')
    if (type === undefined || !isCompressible(type)) return response
    response.vary('Accept-Encoding')
    const accept = request.header('accept-encoding') ?? ''
    const { encodings, plain } = this.#choices.getOr(accept, this.#choose)
    const [encoding] = encodings
    if (encoding === undefined || isFinal(response)) return response
    if (body instanceof Readable) return encodeStream(request, response, body, encoding)
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    if (bytes.length === 0 || (plain && bytes.length < this.#threshold)) return response
    return encodeWhole(response, bytes, encoding, plain)
  }
}

function isFinal({ code, headers }: Response): boolean {
  if (code === 204 || code === 206 || code === 304 || headers.has('Content-Encoding')) return true
  return headers.get('Cache-Control')?.toLowerCase().includes('no-transform') === true
}

function encodeWhole(
  response: Response,
  bytes: Uint8Array,
  encoding: Encoding,
  plain: boolean,
): Response | Promise<Response> {
  const finish = (encoded: Buffer): Response => {
    if (plain && encoded.length >= bytes.length) return response
    response.replaceBody(encoded)
    return declare(response, encoding)
  }
  const kept = keptForm(bytes, encoding)
  if (kept !== null) return finish(kept)
  const encoder = encoders[encoding]
  if (bytes.length <= encoder.maxInPlace) return finish(encoder.now(bytes))
  return encoder.later(bytes).then(finish)
}

/** The compressed forms of bytes that are sent again and again; null for one that is being made. */
const keptForms = new WeakMap<Uint8Array, Map<Encoding, Buffer | null>>()

/** One at a time: the threads have other work to do. */
let making: Promise<void> = Promise.resolve()

/**
 * Keeps the compressed forms of a file as long as its bytes. They are made when they are first asked for, as small as can be, and
 * until then the file is compressed like any other response. For public bytes that nobody changes.
 */
export function keepForms(bytes: Uint8Array): void {
  if (!keptForms.has(bytes)) keptForms.set(bytes, new Map())
}

function keptForm(bytes: Uint8Array, encoding: Encoding): Buffer | null {
  const forms = keptForms.get(bytes)
  const form = forms?.get(encoding)
  if (forms !== undefined && form === undefined) {
    forms.set(encoding, null)
    making = making
      .then(() => encoders[encoding].best(bytes))
      .then((made) => void forms.set(encoding, made))
      // Without memory for it now, a later request tries again.
      .catch(() => void forms.delete(encoding))
  }
  return form ?? null
}

function encodeStream(
  request: Request,
  response: Response,
  source: Readable,
  encoding: Encoding,
): Response {
  // A HEAD response has the headers of the GET, but its body is not sent.
  if (request.method === 'HEAD') return declare(response, encoding)
  const encoder = encoders[encoding].stream()
  response.takeBody()
  response.replaceBody(encoder)
  // `pipeline` destroys both streams if one fails; the error surfaces in the one that is sent.
  pipeline(source, encoder, () => {})
  return declare(response, encoding)
}

function declare(response: Response, encoding: Encoding): Response {
  const { headers } = response
  headers.set('Content-Encoding', encoding)
  headers.delete('Content-Length')
  // Ranges and strong tags refer to the uncompressed bytes.
  headers.delete('Accept-Ranges')
  const etag = headers.get('ETag')
  if (etag?.startsWith('"') === true) headers.set('ETag', `W/${etag}`)
  return response
}

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|manifest|wasm|x-ndjson|graphql|rtf|yaml)|[\w.-]+\/[\w.-]+\+(?:json|xml|text)|image\/(?:svg|bmp|x-icon)|font\/(?:ttf|otf))/i

/**
 * Whether content of a media type gets smaller when compressed. Event streams are excluded, because a
 * compressor would delay their events.
 */
export function isCompressible(type: string): boolean {
  return compressible.test(type)
}
