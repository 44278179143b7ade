import { StepKinds } from '../activity/step.ts'
import type { Step, StepWatcher } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { Labels } from './labels.ts'
import { Counter } from './instruments/counter.ts'
import { Histogram } from './instruments/histogram.ts'
import type { HistogramOptions } from './instruments/histogram.ts'
import { perRegistry } from './observability.ts'
import type { Observability } from './observability.ts'
import { defaultCap } from './instruments/labelled.ts'

/** The histogram of a kind of steps. */
interface Measure extends HistogramOptions {
  readonly metric: string
  readonly labelsOf: (step: Step) => Labels
}

/** The bounds that OpenTelemetry's conventions for databases advise, in seconds. */
const databaseBounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

const operations = {
  metric: 'db_client_operation_duration_seconds',
  help: 'Time from sending a statement or command to its result.',
  buckets: databaseBounds,
}

const measures: ReadonlyMap<StepKinds, Measure> = new Map<StepKinds, Measure>([
  // The convention's name for an SQL database that is not named.
  [
    StepKinds.Sql,
    { ...operations, labelsOf: (step) => operation(step, step.system || 'other_sql') },
  ],
  [StepKinds.Redis, { ...operations, labelsOf: (step) => operation(step, 'redis') }],
  [
    StepKinds.Pool,
    {
      metric: 'db_client_connection_wait_time_seconds',
      help: 'Time that statements waited for a connection, when none of the pool was free.',
      buckets: databaseBounds,
      labelsOf: errorType,
    },
  ],
  [
    StepKinds.Storage,
    {
      metric: 'storage_operation_duration_seconds',
      help: 'Time of operations of disks; that of a get ends with the first byte.',
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
      labelsOf: (step) => ({ system: step.system ?? '', operation: step.name, ...errorType(step) }),
    },
  ],
  [
    StepKinds.Mail,
    {
      metric: 'mail_send_duration_seconds',
      help: 'Time to hand over a mail, by lane and outcome.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      labelsOf: ({ name, failure }) => {
        return { lane: name, outcome: failure === null ? 'sent' : 'failed' }
      },
    },
  ],
])

function operation(step: Step, system: string): Labels {
  return { db_operation_name: step.name, db_system_name: system, ...errorType(step) }
}

function errorType({ failure }: Step): Labels {
  return failure === null ? {} : { error_type: failure }
}

/**
 * Measures statements, waits for connections, commands of Redis, letters, disks and look-ups in caches. Names
 * follow OpenTelemetry's conventions where there is one. What a process never does has no series.
 */
export class StepMetrics implements StepWatcher {
  static readonly #in = perRegistry((registry) => new StepMetrics(registry))

  readonly #registry: Observability
  readonly #histograms = new Map<string, Histogram>()
  /** The series of successful steps by kind, database and name: most steps cost only look-ups. */
  readonly #succeeded = new Map<string, Map<string, Map<string, Histogram>>>()
  #lookups: Counter | null = null

  private constructor(registry: Observability) {
    this.#registry = registry
  }

  /**
   * Measures the steps of this process in a registry, once however often it is called. Returns a
   * function that takes this back.
   */
  static watch(registry: Observability, steps: Steps = Steps.Instance): () => void {
    return steps.watch(StepMetrics.#in(registry))
  }

  ended(step: Step): void {
    const { kind, system = '', name, durationMs, failure } = step
    if (kind === StepKinds.Cache) return this.#countLookup(name)
    const measure = measures.get(kind)
    if (measure === undefined) return
    const known = failure === null ? this.#succeeded.get(kind)?.get(system)?.get(name) : undefined
    const series = known ?? this.#find(step, measure)
    series.observe(durationMs / 1_000)
  }

  #find(step: Step, measure: Measure): Histogram {
    const { kind, system = '', name, failure } = step
    const series = this.#histogram(measure).with(measure.labelsOf(step))
    if (failure !== null) return series
    const bySystem = this.#succeeded.get(kind) ?? new Map<string, Map<string, Histogram>>()
    const byName = bySystem.get(system) ?? new Map<string, Histogram>()
    this.#succeeded.set(kind, bySystem.set(system, byName))
    if (byName.size < defaultCap) byName.set(name, series)
    return series
  }

  /** Registered when it is first needed. */
  #histogram({ metric, help = '', buckets = [] }: Measure): Histogram {
    const known = this.#histograms.get(metric)
    if (known !== undefined) return known
    const histogram = new Histogram(metric, { help, buckets })
    this.#histograms.set(metric, histogram)
    this.#registry.metrics.push(histogram)
    return histogram
  }

  #countLookup(result: string): void {
    if (this.#lookups === null) {
      this.#lookups = new Counter('cache_lookups_total', { help: 'Look-ups in caches, by result.' })
      // Both from the start, for the share of hits.
      for (const one of ['hit', 'miss']) this.#lookups.with({ result: one })
      this.#registry.metrics.push(this.#lookups)
    }
    this.#lookups.with({ result }).increment()
  }
}
