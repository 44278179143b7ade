import { Readable, pipeline } from 'node:stream'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/map-response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { chooseEncodings } from './accept-encoding.ts'
import type { Encoding, EncodingChoice } from './accept-encoding.ts'
import { encoders } from './encoders.ts'

/** When and how answers are compressed. */
export interface CompressionOptions {
  /** Bytes a body must have to be worth it; streams always are. */
  readonly threshold?: number
  /** Codings on offer, the preferred one first. */
  readonly encodings?: readonly Encoding[]
}

/** Headers a browser sends are few and long-lived; what attackers make up must not pile up. */
const maxChoices = 200

/**
 * Compresses answers of types that shrink, as the client asks for. Put it outside of what fills
 * the answer. A page that shows both a secret and what the request said lets its length betray the
 * secret byte by byte (BREACH): mask such secrets afresh in each answer, as the CSRF token is, or
 * answer with `Cache-Control: no-transform`, which is left alone.
 */
export class Compression implements MiddlewareObject {
  readonly #threshold: number
  readonly #encodings: readonly Encoding[]
  readonly #choices = new Map<string, EncodingChoice>()

  constructor({ threshold = 1024, encodings = ['br', 'zstd', 'gzip'] }: CompressionOptions = {}) {
    this.#threshold = threshold
    this.#encodings = encodings
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
    const { encodings, plain } = this.#choose(request.header('accept-encoding') ?? '')
    const [encoding] = encodings
    if (encoding === undefined || isFinal(response)) return response
    if (body instanceof Readable) return encodeStream(request, response, body, encoding)
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    if (bytes.length === 0 || (plain && bytes.length < this.#threshold)) return response
    return encodeWhole(response, bytes, encoding, plain)
  }

  #choose(accept: string): EncodingChoice {
    const known = this.#choices.get(accept)
    if (known !== undefined) return known
    const choice = chooseEncodings(accept, this.#encodings)
    if (this.#choices.size < maxChoices) this.#choices.set(accept, choice)
    return choice
  }
}

function isFinal({ code, headers }: Response): boolean {
  if (code === 204 || code === 206 || code === 304 || headers.has('Content-Encoding')) return true
  return headers.get('Cache-Control')?.toLowerCase().includes('no-transform') === true
}

async function encodeWhole(
  response: Response,
  bytes: Uint8Array,
  encoding: Encoding,
  plain: boolean,
): Promise<Response> {
  const encoded = await encoders[encoding].whole(bytes)
  if (plain && encoded.length >= bytes.length) return response
  response.replaceBody(encoded)
  return declare(response, encoding)
}

function encodeStream(
  request: Request,
  response: Response,
  source: Readable,
  encoding: Encoding,
): Response {
  // Nobody will read the body of a HEAD, but its headers are those of the GET.
  if (request.method === 'HEAD') return declare(response, encoding)
  const encoder = encoders[encoding].stream()
  response.takeBody()
  response.replaceBody(encoder)
  // Either end takes the other with it; the failure itself surfaces in the stream that is sent.
  pipeline(source, encoder, () => {})
  return declare(response, encoding)
}

function declare(response: Response, encoding: Encoding): Response {
  const { headers } = response
  headers.set('Content-Encoding', encoding)
  headers.delete('Content-Length')
  // Ranges and byte-exact tags are of the file as it lies on disk, not of what is sent now.
  headers.delete('Accept-Ranges')
  const etag = headers.get('ETag')
  if (etag?.startsWith('"') === true) headers.set('ETag', `W/${etag}`)
  return response
}

const shrinking =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|manifest|wasm|x-ndjson|graphql|rtf|yaml)|[\w.-]+\/[\w.-]+\+(?:json|xml|text)|image\/(?:svg|bmp|x-icon)|font\/(?:ttf|otf))/i

/**
 * Whether content of a media type gets smaller when it is compressed. Event streams do, but a
 * compressor holds back what should arrive at once.
 */
export function isCompressible(type: string): boolean {
  return shrinking.test(type)
}
