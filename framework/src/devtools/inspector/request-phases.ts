import { performance } from 'node:perf_hooks'
import type { Request } from '../../http/request/request.ts'
import { HandlerWatches } from '../../http/router/compose.ts'
import type { HandlerWatch } from '../../http/router/compose.ts'
import type { RecordedPhase } from './activity-record.ts'

interface Times {
  readonly receivedMs: number
  handlerMs: number
  /** Infinity until an asynchronous handler has ended. */
  endedMs: number
  middlewares: number
}

/** Notes how long the middlewares and the handler of each request ran. */
export class RequestPhases implements HandlerWatch {
  // Tracing watches too.
  readonly #other: HandlerWatch | null = HandlerWatches.current
  readonly #times = new WeakMap<Request, Times>()

  /** Watches the handlers of servers that start from now on. Returns a function that stops it. */
  start(): () => void {
    HandlerWatches.current = this
    return () => {
      if (HandlerWatches.current === this) HandlerWatches.current = this.#other
    }
  }

  received(request: Request, receivedMs: number): void {
    request.isWatched = true
    this.#times.set(request, { receivedMs, handlerMs: 0, endedMs: Infinity, middlewares: 0 })
  }

  entered(request: Request, middlewares: number): void {
    this.#other?.entered(request, middlewares)
  }

  left(request: Request): void {
    this.#other?.left(request)
  }

  began(request: Request, middlewares: number): void {
    this.#other?.began(request, middlewares)
    const times = this.#times.get(request)
    if (times === undefined) return
    times.handlerMs = performance.now()
    times.middlewares = middlewares
  }

  ended(request: Request): void {
    this.#other?.ended(request)
    const times = this.#times.get(request)
    if (times !== undefined) times.endedMs = performance.now()
  }

  /** The phases of a request that has just been handled; none if no handler of a route ran. */
  of(request: Request): readonly RecordedPhase[] {
    const times = this.#times.get(request)
    const { route } = request
    if (times === undefined || times.handlerMs === 0 || route === null) return []
    const beforeMs = times.handlerMs - times.receivedMs
    const handlerMs = Math.min(times.endedMs, performance.now()) - times.handlerMs
    const handler = { kind: 'handler', name: route, startMs: beforeMs, durationMs: handlerMs }
    if (times.middlewares === 0) return [handler]
    const name = `${times.middlewares} before the handler`
    return [{ kind: 'middlewares', name, startMs: 0, durationMs: beforeMs }, handler]
  }
}
