import { createRequire } from 'node:module'
import { getHeapSpaceStatistics, getHeapStatistics, GCProfiler } from 'node:v8'
import { monitorEventLoopDelay, performance, constants, PerformanceObserver } from 'node:perf_hooks'
import type { EventLoopUtilization } from 'node:perf_hooks'
import { Counter } from '../instruments/counter.ts'
import { Gauge } from '../instruments/gauge.ts'
import type { Instrument } from '../instruments/instrument.ts'
import type { Collector } from './collector-list.ts'
import { isRecord } from '../../base/is-record.ts'

/** Options of the runtime collector. */
export interface RuntimeOptions {
  /** Hit rate of a cache of compiled code, 0 to 1; published only when given. */
  readonly hitRate?: () => number
}

/** Metrics of Node and V8: garbage collection, code, modules and the event loop. */
export class RuntimeCollector implements Collector {
  readonly #garbage: GarbageWatch
  readonly #loop = new EventLoopWatch()
  readonly #instruments: readonly Instrument[]

  constructor({ hitRate }: RuntimeOptions = {}) {
    const labels = { pid: String(process.pid) }
    const runs = new Counter('runtime_gc_runs_total', { help: 'Garbage collections.', labels })
    const seconds = new Counter('runtime_gc_seconds_total', {
      help: 'Time spent in garbage collection, in seconds, by kind.',
      labels,
    })
    this.#garbage = new GarbageWatch((kind, duration) => {
      runs.increment()
      seconds.with({ kind }).increment(duration)
    })
    for (const kind of GarbageWatch.kinds) seconds.with({ kind })
    this.#instruments = [
      runs,
      seconds,
      new Counter('runtime_gc_collected_total', {
        help: 'Bytes freed by garbage collection.',
        labels,
        observe: () => this.#garbage.collectedBytes(),
      }),
      new Counter('runtime_event_loop_blocked_seconds_total', {
        help: 'Time in which the event loop was blocked for a second or longer at once, in seconds.',
        labels,
        observe: () => this.#loop.blockedSeconds(),
      }),
      ...Object.entries(gaugesOf(this.#loop, hitRate)).map(
        ([name, [help, observe]]) => new Gauge(name, { help, labels, observe }),
      ),
    ]
  }

  collect(): readonly Instrument[] {
    return this.#instruments
  }

  /** Stops observing the garbage collector and the event loop. */
  close(): void {
    this.#garbage.close()
    this.#loop.close()
  }
}

type Gauges = Readonly<Record<string, readonly [help: string, observe: () => number]>>

/** The gauges by name. */
function gaugesOf(loop: EventLoopWatch, hitRate: (() => number) | undefined): Gauges {
  const { cache } = createRequire(import.meta.url)
  return {
    runtime_included_files: [
      "Loaded modules: Node's own and CommonJS; Node does not expose the others.",
      () => builtinModules() + Object.keys(cache).length,
    ],
    runtime_opcache_memory_used_bytes: ['Compiled code in the heap, in bytes.', codeBytes],
    runtime_heap_used_bytes: [
      'Objects in the heap, in bytes.',
      () => getHeapStatistics().used_heap_size,
    ],
    runtime_active_handles: [
      'Sockets, timers and other resources that keep the process alive.',
      () => process.getActiveResourcesInfo().length,
    ],
    runtime_event_loop_lag_seconds: [
      'Mean delay of the event loop since the last scrape, in seconds.',
      () => loop.read().mean,
    ],
    runtime_event_loop_lag_p99_seconds: [
      'The 99th percentile of the event loop delay since the last scrape, in seconds.',
      () => loop.read().p99,
    ],
    runtime_event_loop_lag_max_seconds: [
      'Maximum delay of the event loop since the last scrape, in seconds.',
      () => loop.read().max,
    ],
    runtime_event_loop_utilization: [
      'Share of time the event loop was busy since the last scrape, 0 to 1.',
      () => loop.read().utilization,
    ],
    ...(hitRate !== undefined && {
      runtime_opcache_hit_rate: ['Hit rate of the cache of compiled templates, 0 to 1.', hitRate],
    }),
  }
}

// Not v8.getHeapCodeStatistics, which walks the heap and blocks for milliseconds.
function codeBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === 'code_space' || name === 'code_large_object_space')
    .reduce((bytes, { space_used_size: used }) => bytes + used, 0)
}

function builtinModules(): number {
  const loaded = 'moduleLoadList' in process ? process.moduleLoadList : []
  if (!Array.isArray(loaded)) return 0
  return loaded.filter((entry) => String(entry).startsWith('NativeModule ')).length
}

/** Sampling interval; a finer one would cost noticeable CPU time in an idle process. */
const resolutionMs = 20
/** Reads within this time get the same figures, so that several readers do not reset each other. */
const minWindowMs = 1_000

/** Delay of the event loop in seconds, and the share of time it was busy. */
interface EventLoopFigures {
  readonly mean: number
  readonly p99: number
  readonly max: number
  readonly utilization: number
}

/** Measures the event loop until closed; the figures cover the time since the previous read. */
export class EventLoopWatch {
  readonly #delays = monitorEventLoopDelay({ resolution: resolutionMs })
  readonly #nowMs: () => number
  #utilization: EventLoopUtilization = performance.eventLoopUtilization()
  #figures: EventLoopFigures | null = null
  #readMs = 0
  #blockedSeconds = 0

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
    this.#delays.enable()
  }

  read(): EventLoopFigures {
    const nowMs = this.#nowMs()
    if (this.#figures === null || nowMs - this.#readMs >= minWindowMs) {
      this.#figures = this.#take()
      this.#readMs = nowMs
    }
    return this.#figures
  }

  /** A counter: other than `max`, it is still there after somebody else has read it. */
  blockedSeconds(): number {
    this.read()
    return this.#blockedSeconds
  }

  close(): void {
    this.#delays.disable()
  }

  #take(): EventLoopFigures {
    const delays = this.#delays
    const utilization = performance.eventLoopUtilization()
    const figures = {
      mean: lateness(delays.mean),
      p99: lateness(delays.percentile(99)),
      max: lateness(delays.max),
      utilization: performance.eventLoopUtilization(utilization, this.#utilization).utilization,
    }
    if (figures.max >= 1) this.#blockedSeconds += figures.max
    this.#utilization = utilization
    delays.reset()
    return figures
  }
}

/** Node measures from one sample to the next; the time beyond the interval is the delay. */
function lateness(nanoseconds: number): number {
  const late = nanoseconds / 1e9 - resolutionMs / 1e3
  // Without samples the mean is NaN.
  return late > 0 ? late : 0
}

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
type GarbageCollected = (kind: string, seconds: number) => void

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
