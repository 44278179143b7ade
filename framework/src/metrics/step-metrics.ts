import { StepKinds } from '../activity/step.ts'
import type { Step, StepWatcher } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { Labels } from './labels.ts'
import { Counter } from './instruments/counter.ts'
import { Histogram } from './instruments/histogram.ts'
import { perRegistry } from './observability.ts'
import type { Observability } from './observability.ts'
import { defaultCap } from './instruments/labelled.ts'

/** The bounds that OpenTelemetry's conventions for databases advise, in seconds. */
const databaseBounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
const mailBounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * Measures statements, waits for connections, commands of Redis, letters and look-ups in caches. Names
 * follow OpenTelemetry's conventions where there is one. What a process never does has no series.
 */
export class StepMetrics implements StepWatcher {
  static readonly #in = perRegistry((registry) => new StepMetrics(registry))

  readonly #registry: Observability
  readonly #operations: () => Histogram
  readonly #statements = new Map<string, StepDurations>()
  readonly #commands: StepDurations
  readonly #waits: StepDurations
  readonly #letters: StepDurations
  #lookups: Counter | null = null

  private constructor(registry: Observability) {
    this.#registry = registry
    this.#operations = registered(
      registry,
      'db_client_operation_duration_seconds',
      'Time from sending a statement or command to its result.',
      databaseBounds,
    )
    const waits = registered(
      registry,
      'db_client_connection_wait_time_seconds',
      'Time that statements waited for a connection, when none of the pool was free.',
      databaseBounds,
    )
    const letters = registered(
      registry,
      'mail_send_duration_seconds',
      'Time to hand over a mail, by lane and outcome.',
      mailBounds,
    )
    this.#commands = new StepDurations(this.#operations, operationLabels('redis'))
    this.#waits = new StepDurations(waits, (_name, failure) => errorType(failure))
    this.#letters = new StepDurations(letters, (lane, failure) => {
      return { lane, outcome: failure === null ? 'sent' : 'failed' }
    })
  }

  /**
   * Measures the steps of this process in a registry, once however often it is called. Returns a
   * function that takes this back.
   */
  static watch(registry: Observability, steps: Steps = Steps.Instance): () => void {
    return steps.watch(StepMetrics.#in(registry))
  }

  ended({ kind, name, system = '', durationMs, failure }: Step): void {
    const seconds = durationMs / 1_000
    if (kind === StepKinds.Sql) this.#statementsOf(system).observe(name, failure, seconds)
    else if (kind === StepKinds.Cache) this.#countLookup(name)
    else if (kind === StepKinds.Redis) this.#commands.observe(name, failure, seconds)
    else if (kind === StepKinds.Pool) this.#waits.observe(name, failure, seconds)
    else if (kind === StepKinds.Mail) this.#letters.observe(name, failure, seconds)
  }

  #statementsOf(system: string): StepDurations {
    const known = this.#statements.get(system)
    if (known !== undefined) return known
    // The convention's name for an SQL database that is not named.
    const labels = operationLabels(system === '' ? 'other_sql' : system)
    const durations = new StepDurations(this.#operations, labels)
    this.#statements.set(system, durations)
    return durations
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

/** A histogram that is registered when it is first needed. */
function registered(
  registry: Observability,
  name: string,
  help: string,
  buckets: readonly number[],
): () => Histogram {
  const histogram = new Histogram(name, { help, buckets })
  return () => {
    registry.metrics.push(histogram)
    return histogram
  }
}

function operationLabels(system: string): (name: string, failure: string | null) => Labels {
  return (name, failure) => {
    return { db_operation_name: name, db_system_name: system, ...errorType(failure) }
  }
}

function errorType(failure: string | null): Labels {
  return failure === null ? {} : { error_type: failure }
}

/** The labels of steps with this name; `failure` is the code of the error, null for a success. */
type StepLabels = (name: string, failure: string | null) => Labels

/** Durations of steps of one kind, by name and outcome. */
class StepDurations {
  readonly #histogram: () => Histogram
  readonly #labels: StepLabels
  /** The series of successful steps by name, so that most steps cost one look-up. */
  readonly #succeeded = new Map<string, Histogram>()

  /** `histogram` is called when there is something to observe. */
  constructor(histogram: () => Histogram, labels: StepLabels) {
    this.#histogram = histogram
    this.#labels = labels
  }

  observe(name: string, failure: string | null, seconds: number): void {
    const known = failure === null ? this.#succeeded.get(name) : undefined
    const series = known ?? this.#find(name, failure)
    series.observe(seconds)
  }

  #find(name: string, failure: string | null): Histogram {
    const series = this.#histogram().with(this.#labels(name, failure))
    if (failure === null && this.#succeeded.size < defaultCap) this.#succeeded.set(name, series)
    return series
  }
}
