import { performance } from 'node:perf_hooks'
import type { RequestLogMode, RequestLogPeer } from '../../app/config/log-variables.ts'
import { countStatements } from '../../services/activity/count-statements.ts'
import { Scopes } from '../../services/activity/scopes.ts'
import { Steps } from '../../services/activity/steps.ts'
import { Emitter } from '../../services/events/emitter.ts'
import type { Channel } from '../../services/logs/channel.ts'
import type { Logs } from '../../services/logs/logs.ts'
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
  /** Whether a request without a route has its path in the line, for development. */
  readonly paths: boolean
  /** The emitter of the server. @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Monotonic milliseconds. @default performance.now */
  readonly nowMs?: () => number
}

const slowMs = 1_000

/** Writes a line for each request that the mode selects, until it is closed. */
export class RequestLog {
  readonly #channel: Channel
  readonly #lines: RequestLines
  readonly #nowMs: () => number
  /** From which status on, and from how many milliseconds on, a request has a line. */
  readonly #minStatus: number
  readonly #minMs: number
  readonly #stops: readonly (() => void)[]

  constructor(options: RequestLogOptions) {
    const { logs, mode, peer, paths, emitter = Emitter.Instance } = options
    this.#channel = logs.channel('requests')
    this.#lines = new RequestLines({ peer, paths })
    this.#nowMs = options.nowMs ?? (() => performance.now())
    this.#minStatus = mode === 'all' ? 0 : 500
    this.#minMs = mode === 'slow' ? slowMs : Number.POSITIVE_INFINITY
    this.#stops = [
      Scopes.use(),
      Steps.Instance.watch(countStatements),
      emitter.listen(RequestEvents.Received, (request) => this.#received(request)),
      emitter.listen(RequestEvents.Handled, (request, response) =>
        this.#handled(request, response),
      ),
    ]
  }

  /** Stops listening. */
  close(): void {
    for (const stop of this.#stops) stop()
  }

  #received(request: Request): void {
    if (request.receivedMs === 0) request.receivedMs = this.#nowMs()
  }

  #handled(request: Request, response: Response): void {
    const { code } = response
    if (request.handledMs === 0) request.handledMs = this.#nowMs()
    const ms = request.receivedMs === 0 ? 0 : request.handledMs - request.receivedMs
    if (code < this.#minStatus && ms < this.#minMs) return
    const level = code < 500 ? 'info' : 'warn'
    if (this.#channel.isEnabled(level)) {
      this.#channel.writeJson(level, this.#lines.of(request, response, ms))
    }
  }
}
