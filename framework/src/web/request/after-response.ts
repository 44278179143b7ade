import { setImmediate } from 'node:timers/promises'
import { Throwables } from '../../base/throwables/throwables.ts'
import { Emitter } from '../../services/events/emitter.ts'
import { RequestEvents } from './request-events.ts'
import type { Request } from './request.ts'

/** What is done later. */
export type DeferredTask = () => unknown

/** What it works with. */
export interface AfterResponseOptions {
  /** The bus that tells of the end of requests; the shared one unless given. */
  readonly emitter?: Emitter
  /** Hears of what the work throws. */
  readonly throwables?: Throwables
}

/**
 * Work that begins once the answer to its request is out: nobody waits for it, and nobody can tell
 * from the time of an answer whether there was any. `close()` waits for all of it.
 */
export class AfterResponse {
  readonly #waiting = new Map<Request<unknown>, DeferredTask[]>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #throwables: Throwables
  readonly #stop: () => void

  constructor({ emitter = Emitter.Instance, throwables = Throwables }: AfterResponseOptions = {}) {
    this.#throwables = throwables
    this.#stop = emitter.listen(RequestEvents.Handled, (request) => this.#begin(request))
  }

  /** Does it behind the answer to this request, which must not be over yet. */
  add(request: Request<unknown>, work: DeferredTask): void {
    const waiting = this.#waiting.get(request)
    if (waiting === undefined) this.#waiting.set(request, [work])
    else waiting.push(work)
  }

  /** Does it soon, whatever becomes of any request. */
  start(work: DeferredTask): void {
    const running = this.#run(work)
    this.#underWay.add(running)
    void running.then(() => this.#underWay.delete(running))
  }

  /** Resolves when nothing is left to do; what still waits for an answer begins now. */
  async close(): Promise<void> {
    this.#stop()
    for (const request of this.#waiting.keys()) this.#begin(request)
    await Promise.all(this.#underWay)
  }

  #begin(request: Request<unknown>): void {
    const works = this.#waiting.get(request)
    if (works === undefined) return
    this.#waiting.delete(request)
    for (const work of works) this.start(work)
  }

  async #run(work: DeferredTask): Promise<void> {
    // A turn of the loop later the answer has left the process too.
    await setImmediate()
    try {
      await work()
    } catch (thrown) {
      this.#throwables.notify(thrown)
    }
  }
}
