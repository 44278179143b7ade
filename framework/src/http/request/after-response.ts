import { setImmediate } from 'node:timers/promises'
import { PendingWork } from '../../base/pending-work.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { RequestEvents } from './request-events.ts'
import type { Request } from './request.ts'

/** A task of `AfterResponse`; it may be asynchronous. */
export type DeferredTask = () => unknown

/** Options of `AfterResponse`. */
export interface AfterResponseOptions {
  /** Emits `RequestEvents.Handled`. @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Reports errors thrown by tasks. */
  readonly throwables?: Throwables
}

/**
 * Runs tasks after the response to a request is sent. Clients do not wait for them and cannot tell
 * from the response time whether there were any. `close()` waits for all of them.
 */
export class AfterResponse {
  readonly #waiting = new Map<Request<unknown>, DeferredTask[]>()
  readonly #running = new PendingWork()
  readonly #throwables: Throwables
  readonly #stop: () => void

  constructor({ emitter = Emitter.Instance, throwables = Throwables }: AfterResponseOptions = {}) {
    this.#throwables = throwables
    this.#stop = emitter.listen(RequestEvents.Handled, (request) => this.#startTasks(request))
  }

  /** Runs the task after the response to this request, which must not have been sent yet. */
  add(request: Request<unknown>, task: DeferredTask): void {
    const waiting = this.#waiting.get(request)
    if (waiting === undefined) this.#waiting.set(request, [task])
    else waiting.push(task)
  }

  /** Runs the task soon, independently of any request. */
  start(task: DeferredTask): void {
    void this.#running.add(this.#run(task))
  }

  /** Starts the tasks that still wait for a response, and resolves when all are done. */
  async close(): Promise<void> {
    this.#stop()
    for (const request of this.#waiting.keys()) this.#startTasks(request)
    await this.#running.finished()
  }

  #startTasks(request: Request<unknown>): void {
    const tasks = this.#waiting.get(request)
    if (tasks === undefined) return
    this.#waiting.delete(request)
    for (const task of tasks) this.start(task)
  }

  async #run(task: DeferredTask): Promise<void> {
    // One turn of the event loop later the response has left the process.
    await setImmediate()
    try {
      await task()
    } catch (thrown) {
      this.#throwables.notify(thrown)
    }
  }
}
