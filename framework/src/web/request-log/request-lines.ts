import type { RequestLogPeer } from '../../app/config/log-variables.ts'
import { networkOf } from '../../base/addresses/network-of.ts'
import { maskText } from '../../base/mask-text.ts'
import { shownPath } from '../errors/report-context.ts'
import type { Request } from '../request/request.ts'
import type { Response, ResponseBody } from '../response/response.ts'

/** The parts of a line, as JSON. */
export interface RequestLine {
  readonly message: string
  readonly context: string
  readonly extra: string
}

/** How lines are written. */
export interface RequestLinesOptions {
  readonly peer: RequestLogPeer
  /** Whether a request without a route has its path in the line. */
  readonly paths: boolean
}

/** What all requests of a method to a route have in common. */
interface LineStart {
  readonly message: string
  readonly context: string
}

const maxKept = 1_000
const maxPath = 200

/**
 * Writes the JSON of request lines. It is put together from texts instead of being built as an object
 * and serialized: nothing in it can hold a secret, and everything that repeats is escaped once.
 */
export class RequestLines {
  readonly #options: RequestLinesOptions
  readonly #starts = new Map<string, Map<string, LineStart>>()
  readonly #peers = new Map<string, string>()

  constructor(options: RequestLinesOptions) {
    this.#options = options
  }

  /** The line of a request that took `ms`. */
  of(request: Request, response: Response, ms: number): RequestLine {
    const { activity, identity, route, id } = request
    const start = this.#startOf(request.method, route)
    const { statements = 0, statementMs = 0, span = null } = activity ?? {}
    // Only ids of a few characters, which need no escaping, and no e-mail: see `loggedId`.
    const account = identity === null ? null : (activity?.account ?? null)
    let context = `${start.context}${response.code},"ms":${rounded(ms)},"bytesIn":${bytesIn(request)}`
    context += `,"bytesOut":${bytesOut(request, response.body)}`
    context += `,"queries":${statements},"queryMs":${rounded(statementMs)}`
    context += account === null ? ',"account":null' : `,"account":"${account}"`
    if (this.#options.peer !== 'off') context += `,"peer":${this.#peerOf(request.peer)}`
    // Of an id from outside only a few signs are accepted, none of which needs escaping.
    context += `,"request":"${id}"`
    context += span === null ? ',"trace":null' : `,"trace":"${span.traceId}"`
    if (route === null && this.#options.paths) context += `,"path":${pathOf(request)}`
    // `gone` is slow, so it is asked last.
    if (!request.answered && request.gone) context += ',"gone":true'
    const ids = span === null ? '' : `,"trace":"${span.traceId}","span":"${span.spanId}"`
    return { message: start.message, context: `${context}}`, extra: `{"request":"${id}"${ids}}` }
  }

  #startOf(method: string, route: string | null): LineStart {
    const key = route ?? ''
    const ofRoute = this.#starts.get(key) ?? this.#keep(key)
    const known = ofRoute.get(method)
    if (known !== undefined) return known
    const title = `${method} ${route ?? '(no route)'}`
    const start = {
      message: JSON.stringify(title),
      context: `{"route":${JSON.stringify(route)},"method":${JSON.stringify(method)},"status":`,
    }
    if (ofRoute.size < maxKept) ofRoute.set(method, start)
    return start
  }

  #keep(route: string): Map<string, LineStart> {
    const ofRoute = new Map<string, LineStart>()
    this.#starts.set(route, ofRoute)
    return ofRoute
  }

  #peerOf(peer: string): string {
    const known = this.#peers.get(peer)
    if (known !== undefined) return known
    const shown = JSON.stringify(this.#options.peer === 'full' ? peer : networkOf(peer))
    if (this.#peers.size >= maxKept) this.#peers.clear()
    this.#peers.set(peer, shown)
    return shown
  }
}

/** Durations below 50 ms as text: writing a fraction takes longer than the rest of the line. */
const shortDurations: string[] = Array.from({ length: 5_000 }, () => '')

/** Milliseconds with two decimals. */
function rounded(ms: number): string {
  const hundredths = Math.round(ms * 100)
  const known = shortDurations[hundredths]
  if (known !== undefined && known !== '') return known
  const text = String(hundredths / 100)
  if (known !== undefined) shortDurations[hundredths] = text
  return text
}

/** The declared length of the body; null for one that is sent in pieces. */
function bytesIn({ headers, method }: Request): string {
  if (method === 'GET') return '0'
  const length = headers['content-length']
  if (length === undefined) return headers['transfer-encoding'] === undefined ? '0' : 'null'
  return typeof length === 'string' && /^\d{1,15}$/.test(length) ? String(Number(length)) : 'null'
}

function bytesOut(request: Request, body: ResponseBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (body === null || body === undefined) return 0
  return body instanceof Uint8Array ? body.byteLength : request.streamedBytes
}

function pathOf(request: Request): string {
  return JSON.stringify(maskText(shownPath(request)).slice(0, maxPath))
}
