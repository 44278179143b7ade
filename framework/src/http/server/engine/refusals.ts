import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { DueResponse } from './due-response.ts'
import type { Limits } from './limits.ts'
import { statusText } from './node-http.ts'

const forbiddenInTarget = /[^\x21-\x7e]|#/
const absoluteForm = /^https?:\/\/([^/?]*)/i
const authority = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])?(?::\d{1,5})?$/i

/**
 * The status for a request whose framing `node:http` accepts although it is ambiguous or unsupported;
 * null for a valid request. Runs before anything else in the framework.
 *
 * The response to an offered upgrade is made the last one of its connection: what the client sends after
 * its offer may already be in the other protocol, and must not be taken for a request.
 */
export function refusal(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limits: Limits,
): number | null {
  const { rawHeaders, httpVersionMinor: minor, url = '' } = incoming
  if (incoming.httpVersionMajor !== 1 || minor > 1) return 505
  if (url.length > limits.target) return 414
  if (rawHeaders.length > limits.headerCount * 2) return 431
  let host: string | null = null
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      // Two hosts: a proxy in front of us may have used the other one.
      if (host !== null) return 400
      host = rawHeaders[at + 1] ?? ''
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (minor === 0) return 400
      if (rawHeaders[at + 1]?.toLowerCase() !== 'chunked') return 501
    } else if (name.length === 7 && name.toLowerCase() === 'upgrade') {
      outgoing.shouldKeepAlive = false
    }
  }
  if (host === null ? minor === 1 : !isAuthority(host)) return 400
  return isSoundTarget(url, incoming.method, host) ? null : 400
}

/** The host of the previous request: nearly always the same as the next. */
let knownAuthority = ''

function isAuthority(host: string): boolean {
  if (host === knownAuthority) return true
  if (!authority.test(host)) return false
  knownAuthority = host
  return true
}

/** The target without scheme and authority; the path of a bare authority is `/`. */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === 0x2f) return target
  const match = absoluteForm.exec(target)
  if (match === null) return target
  const rest = target.slice(match[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The `clientError` of `node:http`. */
type ClientError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number }

/** Responds to what the HTTP parser rejected, and closes the connection. */
export function respondToClientError(error: ClientError, socket: Duplex, due: DueResponse): void {
  const { code = '' } = error
  if (code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    endWith(parserStatus(error), socket, due)
    return
  }
  // The network or TLS failed: nobody could read a response.
  socket.destroy()
}

/** Pending responses whose connection ends because of what was sent after their request. */
const overtaken = new WeakSet<ServerResponse>()

/** Ends a connection with a response for which `node:http` has no response object. */
export function endWith(status: number, socket: Duplex, due: DueResponse): void {
  if (lingering.has(socket)) return
  const pending = due(socket)
  if (pending?.req.complete === true) {
    // A valid request came first; its response must be sent before this one.
    if (!overtaken.has(pending)) pending.once('finish', () => endWith(status, socket, due))
    overtaken.add(pending)
    return
  }
  if (!socket.writable || pending?.headersSent === true) {
    socket.destroy()
    return
  }
  const text = statusText(status)
  socket.write(
    `HTTP/1.1 ${status} ${text}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  )
  endGently(socket)
}

/** How long a client may continue to send data that is discarded, so that it can read the response. */
const lingerMs = 2000
const lingering = new WeakSet<Duplex>()

/**
 * Half-closes a connection and discards incoming data for a moment. Closing it with unread bytes in the
 * kernel would reset it, and a reset can overtake the response.
 */
export function endGently(socket: Duplex): void {
  lingering.add(socket)
  socket.resume()
  socket.end(() => {
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  })
}

function isSoundTarget(target: string, method: string | undefined, host: string | null): boolean {
  if (forbiddenInTarget.test(target)) return false
  if (target.charCodeAt(0) === 0x2f) return true
  if (target === '*') return method === 'OPTIONS'
  // Absolute form, as sent to proxies: accepted if it names the same host, and then normalised.
  const named = absoluteForm.exec(target)?.[1]
  return named !== undefined && named !== '' && named.toLowerCase() === host?.toLowerCase()
}

function parserStatus(error: ClientError): number {
  switch (error.code ?? '') {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413
    case 'HPE_HEADER_OVERFLOW':
      return overflowedInTarget(error) ? 414 : 431
    default:
      return 400
  }
}

// The packet holds the start of the request, and the parser gave up inside the first line.
function overflowedInTarget({ rawPacket, bytesParsed = 0 }: ClientError): boolean {
  if (rawPacket === undefined || !/^[A-Z]+ /.test(rawPacket.toString('latin1', 0, 16))) return false
  const lineEnd = rawPacket.indexOf('\n')
  return lineEnd === -1 || lineEnd >= bytesParsed
}
