import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector/promises'

/** Tells whether our sources ran somewhere for the first time. */
export class Coverage {
  readonly #session = new Session()
  /** For each script, which of its characters have run. */
  readonly #seen = new Map<string, Uint8Array>()

  static async start(): Promise<Coverage> {
    const coverage = new Coverage()
    coverage.#session.connect()
    await coverage.#session.post('Profiler.enable')
    await coverage.#session.post('Profiler.startPreciseCoverage', {
      callCount: true,
      detailed: true,
    })
    return coverage
  }

  /** Whether something has run since the last call that has not been kept. */
  async hasNew(keep: boolean): Promise<boolean> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    let isNew = false
    for (const script of result) {
      if (script.url.includes('/framework/src/') && this.#add(script, keep)) isNew = true
    }
    return isNew
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage')
    this.#session.disconnect()
  }

  #add({ url, functions }: Profiler.ScriptCoverage, keep: boolean): boolean {
    const ranges = functions.flatMap((one) => one.ranges)
    const length = Math.max(...ranges.map(({ endOffset }) => endOffset))
    const ran = new Uint8Array(length)
    // What is inside comes after what it is in.
    for (const { startOffset, endOffset, count } of ranges) {
      ran.fill(Math.min(count, 1), startOffset, endOffset)
    }
    const old = this.#seen.get(url)
    const seen = new Uint8Array(Math.max(length, old?.length ?? 0))
    if (old !== undefined) seen.set(old)
    let isNew = false
    for (const [at, one] of ran.entries()) {
      if (one === 0 || seen[at] === 1) continue
      seen[at] = 1
      isNew = true
    }
    if (isNew && keep) this.#seen.set(url, seen)
    return isNew
  }
}
