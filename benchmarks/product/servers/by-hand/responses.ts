import { randomFillSync, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Answers a request, now or later. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/** A request that is refused. */
export class Failure extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the request is refused with ${status}`)
    this.status = status
  }
}

/** What is sent. */
export interface Answer {
  readonly status?: number
  readonly type: string
  readonly body: string
  /** Further headers: names and values in turn. */
  readonly headers?: readonly string[]
  /** Of the script in the page. */
  readonly nonce?: string
}

const secureHeaders = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'SAMEORIGIN',
  'Referrer-Policy',
  'strict-origin-when-cross-origin',
  'Permissions-Policy',
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), ' +
    'magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Cross-Origin-Resource-Policy',
  'same-origin',
]
const policyStart =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'; object-src 'none'; " +
  "img-src 'self' data:; script-src 'self'"
const policyStyles = "; style-src 'self'"
const plainPolicy = policyStart + policyStyles

/** The headers that every response has. */
export function commonHeaders(request: IncomingMessage, nonce?: string): string[] {
  const source = nonce === undefined ? '' : ` 'nonce-${nonce}'`
  const headers = [
    'X-Request-Id',
    requestId(request.headers['x-request-id']),
    ...secureHeaders,
    'Content-Security-Policy',
    nonce === undefined ? plainPolicy : policyStart + source + policyStyles + source,
  ]
  if ('encrypted' in request.socket) {
    headers.push('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  }
  return headers
}

/** Sends a text in one write; pages and JSON above a kilobyte compressed, if the client takes that. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status = 200, type, body, headers = [], nonce }: Answer,
): Promise<void> | void {
  const all = commonHeaders(request, nonce)
  all.push('Content-Type', type, 'Vary', 'Accept-Encoding', ...headers)
  const bytes = Buffer.from(body)
  const accepted = request.headers['accept-encoding']
  if (accepted !== undefined && bytes.length >= 1024) {
    const coding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null
    if (coding !== null) return sendEncoded(response, status, all, bytes, coding)
  }
  all.push('Content-Length', String(bytes.length))
  response.writeHead(status, all).end(bytes)
}

async function sendEncoded(
  response: ServerResponse,
  status: number,
  headers: string[],
  bytes: Buffer,
  coding: 'br' | 'gzip',
): Promise<void> {
  const encoded = await encoders[coding](bytes)
  headers.push('Content-Encoding', coding, 'Content-Length', String(encoded.length))
  response.writeHead(status, headers).end(encoded)
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const encoders = {
  br: (bytes: Buffer): Promise<Buffer> =>
    brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer): Promise<Buffer> => gzipped(bytes),
} as const

/** Sends somebody to another page. */
export function redirect(
  request: IncomingMessage,
  response: ServerResponse,
  to: string,
  headers: readonly string[] = [],
): void {
  const all = commonHeaders(request)
  all.push('Location', to, 'Content-Length', '0', ...headers)
  response.writeHead(303, all).end()
}

function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID()
}

// Random bytes are taken from the system a few thousand at a time.
const pool = Buffer.alloc(4096)
let used = pool.length

/** Random bytes, for a copy only: they are overwritten later. */
export function randomPart(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool.subarray(used, (used += length))
}

/** The whole body. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > limit) throw new Failure(413)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks, length)
}
