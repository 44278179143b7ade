import { FrameworkError } from '../../base/errors.ts'
import { noteFailedStep } from '../../services/activity/failed-step.ts'
import { StepKinds } from '../../services/activity/step.ts'
import { Steps } from '../../services/activity/steps.ts'
import type { OpenStep } from '../../services/activity/steps.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Operation } from './operation.ts'
import { statementKind } from './statement-kind.ts'

/** A statement that was run. Bound values are left out: they may be user input. */
export interface QueryEntry {
  readonly sql: string
  /** Number of bound values. */
  readonly parameters: number
  readonly durationMs: number
  /** Rows read or changed; 0 when it failed. */
  readonly rows: number
  /** Error code, or null on success. */
  readonly failure: string | null
}

/** Called for every statement when it settles. Exceptions are ignored. */
export type QueryLog = (entry: QueryEntry) => void

type Send = (query: Query) => Operation

/** Wraps `send` so that every statement is a step, and an entry of the log if there is one. */
export function withQueryLog(send: Send, log: QueryLog | null, system = ''): Send {
  return (query) => {
    const { sql } = query
    const step = Steps.Instance.begin(StepKinds.Sql, statementKind(sql), sql, system)
    if (step === null && log === null) return send(query)
    const startMs = step?.startMs ?? performance.now()
    return new Observation(query, startMs, step, log).follow(send(query))
  }
}

/** A statement on its way. */
class Observation {
  readonly #query: Query
  readonly #startMs: number
  readonly #step: OpenStep | null
  readonly #log: QueryLog | null

  constructor(query: Query, startMs: number, step: OpenStep | null, log: QueryLog | null) {
    this.#query = query
    this.#startMs = startMs
    this.#step = step
    this.#log = log
  }

  follow(operation: Operation): Operation {
    if (operation.state === 'pending') {
      this.#step?.leave()
      operation.settled().then(
        ({ affected }) => this.#end(affected, null),
        (error: unknown) => this.#fail(error),
      )
      return operation
    }
    try {
      this.#end(operation.result.affected, null)
    } catch (error) {
      this.#fail(error)
    }
    return operation
  }

  #fail(error: unknown): void {
    if (this.#step !== null) noteFailedStep(error, this.#step)
    this.#end(0, failureOf(error))
  }

  #end(rows: number, failure: string | null): void {
    this.#step?.end(rows, failure)
    if (this.#log === null) return
    const { sql, parameters } = this.#query
    const durationMs = this.#step?.durationMs ?? performance.now() - this.#startMs
    try {
      this.#log({ sql, parameters: parameters.length, durationMs, rows, failure })
    } catch {}
  }
}

function failureOf(error: unknown): string {
  return error instanceof FrameworkError ? error.code : 'E_DATABASE'
}
