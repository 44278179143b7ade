import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { toError } from '../base/to-error.ts'
import { Compressions } from './compressions.ts'
import type { Receiver } from './receiver.ts'

/** A request to a collector, which may be sent several times. */
export interface ShipRequest {
  readonly receiver: Receiver
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer<ArrayBuffer>
}

/** The response of a collector. */
export interface CollectorResponse {
  readonly status: number
  readonly retryAfter: string | null
  readonly type: string
  /** The start of the body, as far as it was received. */
  readonly text: string
}

/** Why there was no response. */
export interface NoResponse {
  readonly reason: string
}

/** What is needed of `fetch`. */
export type CollectorPost = (
  url: URL,
  init: {
    readonly method: 'POST'
    readonly headers: [name: string, value: string][]
    readonly body: Buffer<ArrayBuffer>
    readonly redirect: 'manual'
    readonly signal: AbortSignal | null
  },
) => Promise<PostResponse>

/** What is needed of its response. */
export interface PostResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: { get(name: string): string | null }
  /** Whole, or as it comes. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
}

/** Responses of collectors are shorter. */
const maxBytes = 65_536
const compress = promisify(gzip)

/** Creates a request with a JSON body. Bytes must not change before it is over. */
export async function createShipRequest(
  receiver: Receiver,
  json: string | Buffer<ArrayBuffer>,
  compression: Compressions,
): Promise<ShipRequest> {
  const headers = [...receiver.headers, ['content-type', 'application/json'] as const]
  if (compression === Compressions.None) {
    return { receiver, headers, body: typeof json === 'string' ? Buffer.from(json) : json }
  }
  headers.push(['content-encoding', 'gzip'])
  return { receiver, headers, body: await compress(json) }
}

/** Posts once, within `timeoutMs` including the response; 0 means no limit. */
export async function postRequest(
  { receiver, headers, body }: ShipRequest,
  timeoutMs: number,
  send: CollectorPost,
): Promise<CollectorResponse | NoResponse> {
  const signal = timeoutMs === 0 ? null : AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(receiver.url, {
      method: 'POST',
      headers: headers.map(([name, value]) => [name, value]),
      body,
      // Metrics and credentials must not be sent to another host.
      redirect: 'manual',
      signal,
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      type: response.headers.get('content-type') ?? '',
      text: await readStart(response),
    }
  } catch (error) {
    return { reason: signal?.aborted ? `no answer in ${timeoutMs} ms` : reasonOf(error) }
  }
}

/** Only the status matters, so an incomplete body is not an error. */
async function readStart({ body }: PostResponse): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8', 0, maxBytes)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= maxBytes) break
    }
  } catch {
    // The connection broke: keep what was received.
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes)
}

/** `fetch` hides the reason in `cause`, which may aggregate the errors of several addresses. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const first: unknown = cause instanceof AggregateError ? (cause.errors[0] ?? cause) : cause
  const { message, name } = toError(first)
  return message === '' ? name : message
}
