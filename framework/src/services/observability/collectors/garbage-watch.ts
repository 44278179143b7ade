import { constants, PerformanceObserver } from 'node:perf_hooks'
import { GCProfiler } from 'node:v8'

/** Kinds of garbage collection by the number V8 has for them. */
const kinds = new Map<unknown, string>([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak'],
])

/** The profiler keeps a few kilobytes for each run until it is asked, so it is asked this often. */
const runsPerProfile = 32

/** Told about each garbage collection. */
export type GarbageCollected = (kind: string, seconds: number) => void

/** Watches the garbage collector until it is closed. */
export class GarbageWatch {
  /** The kinds that are told apart. */
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

  /** Bytes that garbage collection gave back since the watch began. */
  collectedBytes(): number {
    this.#readProfile()
    return this.#collectedBytes
  }

  /** Ends the watch; the numbers stay what they are. */
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

// The types do not know that an entry of the collector has details.
function kindOf(entry: object): string {
  const detail: unknown = 'detail' in entry ? entry.detail : null
  const kind =
    typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : null
  return kinds.get(kind) ?? 'other'
}
