import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { toError } from '../../../base/throwables/to-error.ts'
import { Compressions } from './compressions.ts'
import type { Receiver } from './receiver.ts'

/** What is posted, again and again if need be. */
export interface Parcel {
  readonly receiver: Receiver
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer<ArrayBuffer>
}

/** What the collector answered. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly type: string
  /** The beginning of the body, as far as it came. */
  readonly text: string
}

/** Why there was no answer. */
export interface Silence {
  readonly reason: string
}

/** Whatever a collector says is shorter. */
const maxBytes = 65_536
const compress = promisify(gzip)

/** Makes a JSON text ready for the post. */
export async function packParcel(
  receiver: Receiver,
  json: string,
  compression: Compressions,
): Promise<Parcel> {
  const headers = [...receiver.headers, ['content-type', 'application/json'] as const]
  if (compression === Compressions.None) return { receiver, headers, body: Buffer.from(json) }
  headers.push(['content-encoding', 'gzip'])
  return { receiver, headers, body: await compress(json) }
}

/** Posts once; the whole of it, answer included, takes at most `timeoutMs`, 0 is no limit. */
export async function post(
  { receiver, headers, body }: Parcel,
  timeoutMs: number,
  send: typeof fetch,
): Promise<Answer | Silence> {
  const signal = timeoutMs === 0 ? null : AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(receiver.url, {
      method: 'POST',
      headers: headers.map(([name, value]) => [name, value]),
      body,
      // Metrics and credentials go where they were sent, and nowhere else.
      redirect: 'manual',
      signal,
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      type: response.headers.get('content-type') ?? '',
      text: await readBeginning(response),
    }
  } catch (error) {
    return { reason: signal?.aborted ? `no answer in ${timeoutMs} ms` : reasonOf(error) }
  }
}

/** The status is what counts: a body that breaks off ends where it does. */
async function readBeginning({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= maxBytes) break
    }
  } catch {
    // What came is all there is.
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes)
}

/** `fetch` hides what went wrong in a cause, which may stand for several addresses. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const first: unknown = cause instanceof AggregateError ? (cause.errors[0] ?? cause) : cause
  const { message, name } = toError(first)
  return message === '' ? name : message
}
