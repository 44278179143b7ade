import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { toError } from '../base/to-error.ts'
import type { Receiver } from './receiver.ts'

/** How the request body is compressed. */
export const Compressions = { None: 'none', Gzip: 'gzip' } as const
Object.freeze(Compressions)
export type Compressions = (typeof Compressions)[keyof typeof Compressions]

/** A request to a server that takes telemetry, which may be sent several times. */
export interface ShipRequest {
  readonly receiver: Receiver
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer<ArrayBuffer>
}

/** The response to a post. */
export interface CollectorResponse {
  readonly status: number
  /** The value of a header, by its lower-case name. */
  readonly header: (name: string) => string | null
  /** The start of the body, as far as it was received. */
  readonly text: string
}

/** Why there was no response. */
export interface NoResponse {
  readonly reason: string
}

/** Sends one request: `fetch`, as far as it is needed. */
export type Post = (
  url: URL,
  init: {
    readonly method: 'POST'
    readonly headers: [name: string, value: string][]
    readonly body: Buffer<ArrayBuffer>
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<PostResponse>

/** What is needed of its response. */
export interface PostResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
}

/** Limits of one attempt. */
export interface PostOptions {
  /** Time including the response; 0 means no limit. */
  readonly timeoutMs: number
  /** When it aborts, the attempt ends. */
  readonly abandoned?: AbortSignal
  /** @default httpPost */
  readonly fetch?: Post
}

/** Responses of collectors are shorter. */
const maxBytes = 65_536
const compress = promisify(gzip)

/** Creates a request with a JSON body. */
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

/** Posts once. Never rejects. */
export async function postRequest(
  { receiver, headers, body }: ShipRequest,
  { timeoutMs, abandoned, fetch = httpPost }: PostOptions,
): Promise<CollectorResponse | NoResponse> {
  const timeout = timeoutMs === 0 ? undefined : AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(receiver.url, {
      method: 'POST',
      headers: headers.map(([name, value]) => [name, value]),
      body,
      // Telemetry and credentials must not be sent to another host.
      redirect: 'manual',
      signal: AbortSignal.any([timeout, abandoned].filter((one) => one !== undefined)),
    })
    const { status } = response
    return { status, header: (name) => response.headers.get(name), text: await readStart(response) }
  } catch (error) {
    return { reason: timeout?.aborted ? `no answer in ${timeoutMs} ms` : reasonOf(error) }
  }
}

/**
 * Posts with the agents of this process: they keep connections, trust what `NODE_EXTRA_CA_CERTS` names, and
 * use the proxies of the environment with `NODE_USE_ENV_PROXY`. Unlike a `fetch` it never becomes a span.
 */
export const httpPost: Post = async (url, { method, headers, body, signal }) => {
  // An `import` of `node:http` would load all of undici, behind its lazy `WebSocket`.
  const isSecure = url.protocol === 'https:'
  const { request } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, { method, headers: Object.fromEntries(headers), signal }, resolve)
    .on('error', reject)
    .end(body)
  const response = await promise
  const received = new Map(Object.entries(response.headers))
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => received.get(name)?.toString() ?? null },
    body: response,
  }
}

/** Only the status matters, so an incomplete body is not an error. */
async function readStart({ body }: PostResponse): Promise<string> {
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

/** The reason is often in `cause`, which may aggregate the errors of several addresses. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const first: unknown = cause instanceof AggregateError ? (cause.errors[0] ?? cause) : cause
  const { message, name } = toError(first)
  return message === '' ? name : message
}
