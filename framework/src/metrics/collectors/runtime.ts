import { createRequire } from 'node:module'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import type { Labels } from '../labels.ts'
import { Counter } from '../instruments/counter.ts'
import { Gauge } from '../instruments/gauge.ts'
import type { Instrument } from '../instruments/instrument.ts'
import type { Collector } from './collector-list.ts'
import { EventLoopWatch } from './event-loop-watch.ts'
import { GarbageWatch } from './garbage-watch.ts'

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
      ...memoryGauges(labels),
      ...loopGauges(labels, this.#loop),
      ...(hitRate === undefined ? [] : [hitRateGauge(labels, hitRate)]),
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

function memoryGauges(labels: Labels): Gauge[] {
  const { cache } = createRequire(import.meta.url)
  return [
    new Gauge('runtime_included_files', {
      help: "Loaded modules: Node's own and CommonJS; Node does not expose the others.",
      labels,
      observe: () => builtinModules() + Object.keys(cache).length,
    }),
    new Gauge('runtime_opcache_memory_used_bytes', {
      help: 'Compiled code in the heap, in bytes.',
      labels,
      observe: codeBytes,
    }),
    new Gauge('runtime_heap_used_bytes', {
      help: 'Objects in the heap, in bytes.',
      labels,
      observe: () => getHeapStatistics().used_heap_size,
    }),
    new Gauge('runtime_active_handles', {
      help: 'Sockets, timers and other resources that keep the process alive.',
      labels,
      observe: () => process.getActiveResourcesInfo().length,
    }),
  ]
}

function loopGauges(labels: Labels, loop: EventLoopWatch): Gauge[] {
  return [
    new Gauge('runtime_event_loop_lag_seconds', {
      help: 'Mean delay of the event loop since the last scrape, in seconds.',
      labels,
      observe: () => loop.read().mean,
    }),
    new Gauge('runtime_event_loop_lag_p99_seconds', {
      help: 'The 99th percentile of the event loop delay since the last scrape, in seconds.',
      labels,
      observe: () => loop.read().p99,
    }),
    new Gauge('runtime_event_loop_lag_max_seconds', {
      help: 'Maximum delay of the event loop since the last scrape, in seconds.',
      labels,
      observe: () => loop.read().max,
    }),
    new Gauge('runtime_event_loop_utilization', {
      help: 'Share of time the event loop was busy since the last scrape, 0 to 1.',
      labels,
      observe: () => loop.read().utilization,
    }),
  ]
}

function hitRateGauge(labels: Labels, observe: () => number): Gauge {
  return new Gauge('runtime_opcache_hit_rate', {
    help: 'Hit rate of the cache of compiled templates, 0 to 1.',
    labels,
    observe,
  })
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
