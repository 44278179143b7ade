import { constants, PerformanceObserver } from 'node:perf_hooks'
import { GCProfiler } from 'node:v8'
import { isRecord } from '../../base/is-record.ts'

/** Kinds of garbage collection by their V8 constant. */
const kinds = new Map<unknown, string>([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak'],
])

/** The profiler keeps a few kilobytes per collection until it is read, so it is read this often. */
const runsPerProfile = 32

/** Called for each garbage collection. */
export type GarbageCollected = (kind: string, seconds: number) => void

/** Measures garbage collection until closed. */
export class GarbageWatch {
  static readonly kinds: readonly string[] = [...kinds.values()]

  readonly #observer: PerformanceObserver
  readonly #profiler = new GCProfiler()
  #collectedBytes = 0
  #unread = 0
  #open = true

  constructor(collected: GarbageCollected) {
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        collected(kindOf(entry), entry.duration / 1_000)
        this.#unread += 1
      }
      if (this.#unread >= runsPerProfile) this.#readProfile()
    })
    this.#observer.observe({ entryTypes: ['gc'] })
    this.#profiler.start()
  }

  /** Bytes freed by garbage collection so far. */
  collectedBytes(): number {
    this.#readProfile()
    return this.#collectedBytes
  }

  /** Stops measuring; the totals remain readable. */
  close(): void {
    this.#observer.disconnect()
    this.#readProfile()
    this.#open = false
    this.#profiler.stop()
  }

  #readProfile(): void {
    if (!this.#open) return
    this.#unread = 0
    for (const { beforeGC, afterGC } of this.#profiler.stop()?.statistics ?? []) {
      const freed = beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize
      this.#collectedBytes += Math.max(0, freed)
    }
    this.#profiler.start()
  }
}

// The type of `gc` entries lacks `detail`.
function kindOf(entry: object): string {
  const detail: unknown = 'detail' in entry ? entry.detail : null
  return (isRecord(detail) && kinds.get(detail['kind'])) || 'other'
}
