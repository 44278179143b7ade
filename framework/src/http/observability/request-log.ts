import { performance } from 'node:perf_hooks'
import type { RequestLogMode, RequestLogPeer } from '../../logs/logs-settings.ts'
import { countStatements, Steps } from '../../activity/steps.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Channel } from '../../logs/channel.ts'
import { flushAtExit } from '../../logs/flush-at-exit.ts'
import type { Logs } from '../../logs/logs.ts'
import { RequestEvents } from '../request/request-events.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { RequestLines } from './request-lines.ts'

/** Options of `RequestLog`. */
export interface RequestLogOptions {
  /** Receives the lines, on its channel `requests`. */
  readonly logs: Logs
  readonly mode: Exclude<RequestLogMode, 'off'>
  readonly peer: RequestLogPeer
  /** For development: a request without a route has its path in the line, and none if it was an asset. */
  readonly paths: boolean
  /**
   * Whether the lines of one turn of the event loop are written together at its end, which costs far
   * less for each. @default false
   */
  readonly batches?: boolean
  /** The emitter of the server. @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Monotonic milliseconds. @default performance.now */
  readonly nowMs?: () => number
}

const slowMs = 1_000
/** Requests that wait for their line. */
const maxWaiting = 256

/** Writes a line for each request that the mode selects, until it is closed. */
export class RequestLog {
  readonly #channel: Channel
  readonly #lines: RequestLines
  readonly #batches: boolean
  readonly #nowMs: () => number
  readonly #withAssets: boolean
  /** From which status on, and from how many milliseconds on, a request has a line. */
  readonly #minStatus: number
  readonly #minMs: number
  readonly #stops: readonly (() => void)[]
  #waiting: { readonly request: Request; readonly response: Response }[] = []

  constructor(options: RequestLogOptions) {
    const { logs, mode, peer, paths, emitter = Emitter.Instance } = options
    this.#channel = logs.channel('requests')
    this.#lines = new RequestLines({ peer, paths })
    this.#withAssets = !paths
    this.#batches = options.batches ?? false
    this.#nowMs = options.nowMs ?? (() => performance.now())
    this.#minStatus = mode === 'all' ? 0 : 500
    this.#minMs = mode === 'slow' ? slowMs : Number.POSITIVE_INFINITY
    this.#stops = [
      CurrentWork.follow(),
      Steps.Instance.watch(countStatements),
      emitter.listen(RequestEvents.Received, (request) => {
        if (request.receivedMs === 0) request.receivedMs = this.#nowMs()
      }),
      emitter.listen(RequestEvents.Handled, (request, response) =>
        this.#handled(request, response),
      ),
      flushAtExit(this),
    ]
  }

  /** Stops listening, and writes the lines that wait. */
  close(): void {
    for (const stop of this.#stops) stop()
    this.#writeWaiting()
  }

  /** Writes the lines that wait, for a process that is about to exit. */
  flushSync(): void {
    if (this.#waiting.length === 0) return
    this.#writeWaiting()
    this.#channel.flushSync()
  }

  #handled(request: Request, response: Response): void {
    if (request.handledMs === 0) request.handledMs = this.#nowMs()
    // A page asks for a dozen of them: on the screen of a developer they hide the page.
    if (!this.#withAssets && response.code < 400 && isAsset(request)) return
    const ms = durationOf(request)
    if (response.code < this.#minStatus && ms < this.#minMs) return
    // Of what was streamed, or never sent, the connection knows the size only now.
    if (!this.#batches || !request.responded) return this.#write(request, response)
    const waiting = this.#waiting.push({ request, response })
    if (waiting === 1) CurrentWork.runOutside(() => setImmediate(() => this.#writeWaiting()))
    else if (waiting === maxWaiting) this.#writeWaiting()
  }

  // The code for a line is long: for one line at a time the processor would have to load it anew.
  #writeWaiting(): void {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    const nowMs = this.#nowMs()
    for (const { request, response } of waiting) {
      this.#write(request, response, (nowMs - request.handledMs) / 1_000)
    }
  }

  #write(request: Request, response: Response, secondsAgo = 0): void {
    const level = response.code < 500 ? 'info' : 'warn'
    if (!this.#channel.isEnabled(level)) return
    const line = this.#lines.of(request, response, durationOf(request))
    this.#channel.writeJson(level, line, secondsAgo)
  }
}

function durationOf({ receivedMs, handledMs }: Request): number {
  return receivedMs === 0 ? 0 : handledMs - receivedMs
}

/** Of a middleware, or what a browser asks for as a part of a page. */
function isAsset(request: Request): boolean {
  if (request.route === null) return true
  return /^(?:font|image|script|style)$/.test(request.header('sec-fetch-dest') ?? '')
}
