/**
 * Runs a task for several concurrent callers. Calls made while it runs share the next run, so no caller
 * gets a result older than its call.
 */
export class SharedRun<Value> {
  readonly #task: () => Promise<Value>
  #running: Promise<unknown> | null = null
  #next: Promise<Value> | null = null

  constructor(task: () => Promise<Value>) {
    this.#task = task
  }

  /** The result of a run that starts now or later. */
  run(): Promise<Value> {
    if (this.#next !== null) return this.#next
    if (this.#running === null) return this.#start()
    this.#next = this.#running.then(() => {
      this.#next = null
      return this.#start()
    })
    return this.#next
  }

  #start(): Promise<Value> {
    const value = this.#task()
    this.#running = this.#ended(value)
    return value
  }

  async #ended(value: Promise<Value>): Promise<void> {
    await Promise.allSettled([value])
    this.#running = null
  }
}
