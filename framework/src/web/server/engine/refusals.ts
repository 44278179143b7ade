import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { DueResponse } from './due-response.ts'
import type { Limits } from './limits.ts'
import { statusText } from './status.ts'

const forbiddenInTarget = /[^\x21-\x7e]|#/
const absoluteForm = /^https?:\/\/([^/?]*)/i
const authority = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])?(?::\d{1,5})?$/i

/**
 * The status that refuses a request whose framing `node:http` lets through although it is
 * ambiguous or not supported, or null for a sound one. Runs before anything of the framework.
 */
export function refusal(incoming: IncomingMessage, limits: Limits): number | null {
  const { rawHeaders, httpVersionMinor: minor, url = '' } = incoming
  if (incoming.httpVersionMajor !== 1 || minor > 1) return 505
  if (url.length > limits.target) return 414
  if (rawHeaders.length > limits.headerCount * 2) return 431
  let host: string | null = null
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      // Two hosts: whoever stands between us and the client may have believed the other one.
      if (host !== null) return 400
      host = rawHeaders[at + 1] ?? ''
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (minor === 0) return 400
      if (rawHeaders[at + 1]?.toLowerCase() !== 'chunked') return 501
    }
  }
  if (host === null ? minor === 1 : !isAuthority(host)) return 400
  return isSoundTarget(url, incoming.method, host) ? null : 400
}

/** The host of the request before: nearly always that of the next one. */
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

/** What `node:http` tells about a connection on which something broke. */
type ClientError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number }

/** Answers what the HTTP parser itself refused, and closes the connection. */
export function answerClientError(error: ClientError, socket: Duplex, due: DueResponse): void {
  const { code = '' } = error
  if (code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    endWith(parserStatus(error), socket, due)
    return
  }
  // The network failed, or TLS did: there is nobody who could read an answer.
  socket.destroy()
}

/** Answers whose connection brought something behind their request that ends it. */
const overtaken = new WeakSet<ServerResponse>()

/** Ends a connection with a last answer that `node:http` has no response object for. */
export function endWith(status: number, socket: Duplex, due: DueResponse): void {
  if (lingering.has(socket)) return
  const pending = due(socket)
  if (pending?.req.complete === true) {
    // What ends the connection came behind a sound request, whose answer goes first.
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

/** How long a client may go on sending what nobody reads, so that it sees the answer first. */
const lingerMs = 2000
const lingering = new WeakSet<Duplex>()

/**
 * Ends our side of a connection and lets what still comes run dry for a moment. Closing with unread
 * bytes in the kernel resets the connection, and a reset can overtake the answer.
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
  // A proxy's form: accepted when it names the host the request is for, and then normalised.
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

// The packet holds the start of the request, and its first line went on where the parser gave up.
function overflowedInTarget({ rawPacket, bytesParsed = 0 }: ClientError): boolean {
  if (rawPacket === undefined || !/^[A-Z]+ /.test(rawPacket.toString('latin1', 0, 16))) return false
  const lineEnd = rawPacket.indexOf('\n')
  return lineEnd === -1 || lineEnd >= bytesParsed
}
