import type { RequestLogPeer } from '../../logs/logs-settings.ts'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import { networkOf } from '../../base/network.ts'
import { maskText } from '../../base/mask-text.ts'
import { shownPath } from '../request/shown-path.ts'
import type { Request } from '../request/request.ts'
import type { Response, ResponseBody } from '../response/response.ts'

/** How lines are written. */
export interface RequestLinesOptions {
  readonly peer: RequestLogPeer
  /** Whether a request without a route has its path in the line. */
  readonly paths: boolean
}

const maxKept = 1_000
const maxPath = 200

/** The beginnings of lines by method and status, of one route. */
type Starts = Map<string, Map<number, string>>

/** What is the same for most requests. */
const noQueries = ',"queries":0,"queryMs":0'
const noAccount = ',"account":null'

/**
 * Writes request lines, from the message on. They are put together from a few long texts, most of which
 * are kept, instead of being built as objects and serialized: nothing in them can hold a secret, and
 * everything that repeats is escaped once.
 */
export class RequestLines {
  readonly #options: RequestLinesOptions
  readonly #routes = new Map<string | null, Starts>()
  /** By address: from the peer to the id. */
  readonly #peers = new RecentTexts<string>(maxKept)

  constructor(options: RequestLinesOptions) {
    this.#options = options
  }

  /** The line of a request that took `ms`. */
  of(request: Request, response: Response, ms: number): string {
    // Of an id from outside only a few signs are accepted, none of which needs escaping.
    const { activity, route, id } = request
    const span = activity?.span ?? null
    const sizes = `${bytesIn(request)},"bytesOut":${bytesOut(request, response.body)}`
    let line = `${this.#startOf(request.method, route, response.code)}${rounded(ms)},"bytesIn":${sizes}`
    line += this.#about(request)
    line += id
    if (span === null) line += '","trace":null'
    else line += `","trace":"${span.traceId}"`
    if (route === null && this.#options.paths) line += `,"path":${pathOf(request)}`
    // `gone` is slow, so it is asked last.
    if (!request.responded && request.gone) line += ',"gone":true'
    if (span === null) return `${line}},"extra":{"request":"${id}"}}`
    const ids = `"trace":"${span.traceId}","span":"${span.spanId}"`
    return `${line}},"extra":{"request":"${id}",${ids}}}`
  }

  #startOf(method: string, route: string | null, status: number): string {
    const known = this.#routes.get(route)?.get(method)?.get(status)
    return known ?? this.#keepStart(method, route, status)
  }

  #keepStart(method: string, route: string | null, status: number): string {
    const title = JSON.stringify(`${method} ${route ?? '(no route)'}`)
    const context = `"route":${JSON.stringify(route)},"method":${JSON.stringify(method)}`
    const start = `"message":${title},"context":{${context},"status":${status},"ms":`
    const starts: Starts = this.#routes.get(route) ?? new Map<string, Map<number, string>>()
    const ofMethod = starts.get(method) ?? new Map<number, string>()
    if (starts.size < maxKept) starts.set(method, ofMethod.set(status, start))
    this.#routes.set(route, starts)
    return start
  }

  /** From the number of statements to the id. */
  #about(request: Request): string {
    const { activity, identity, peer } = request
    const statements = activity?.statements ?? 0
    let about = noQueries
    if (statements > 0) {
      about = `,"queries":${statements},"queryMs":${rounded(activity?.statementMs ?? 0)}`
    }
    const account = identity === null ? null : (activity?.account ?? null)
    // Only ids of a few characters, none of which needs escaping, and no e-mail: see `loggedId`.
    about += account === null ? noAccount : `,"account":"${account}"`
    return about + this.#peers.getOr(peer, this.#ofPeer)
  }

  readonly #ofPeer = (peer: string): string => {
    const shown = this.#options.peer === 'full' ? peer : networkOf(peer)
    const field = this.#options.peer === 'off' ? '' : `,"peer":${JSON.stringify(shown)}`
    return `${field},"request":"`
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
  // Counting the bytes of a long text again would take longer than the rest of the line.
  if (request.responded) return request.responseBytes
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (body === null || body === undefined) return 0
  return body instanceof Uint8Array ? body.byteLength : request.streamedBytes
}

function pathOf(request: Request): string {
  return JSON.stringify(maskText(shownPath(request)).slice(0, maxPath))
}
