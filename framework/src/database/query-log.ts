import { FrameworkError } from '../base/errors.ts'
import { noteFailedStep } from '../activity/failed-step.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { OpenStep } from '../activity/steps.ts'
import type { Query } from './sql/plan/statement.ts'
import type { Operation, Result } from './operation.ts'

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
  const steps = Steps.Instance
  return (query) => {
    if (log === null && !steps.areWatched) return send(query)
    const startMs = performance.now()
    const operation = send(query)
    const { sql } = query
    if (operation.state === 'done' && log === null) {
      const endMs = performance.now()
      if (steps.skipsStatement(sql, startMs, endMs)) return operation
      const step = steps.begin(StepKinds.Sql, statementKind(sql), sql, system, startMs)
      step?.end(operation.result.affected, null, endMs)
      return operation
    }
    const step = steps.begin(StepKinds.Sql, statementKind(sql), sql, system, startMs)
    const statement = new ObservedStatement(operation, startMs, step, log)
    if (operation.state === 'pending') return statement.follow()
    statement.endNow()
    return operation
  }
}

/** A statement that was sent, with the step and the log that its end is reported to. */
class ObservedStatement implements Operation {
  readonly query: Query
  readonly #operation: Operation
  readonly #startMs: number
  readonly #step: OpenStep | null
  readonly #log: QueryLog | null
  /** What the code that sent it waits for. */
  #awaited: Promise<Result> | null = null
  #hasEnded = false

  constructor(operation: Operation, startMs: number, step: OpenStep | null, log: QueryLog | null) {
    this.query = operation.query
    this.#operation = operation
    this.#startMs = startMs
    this.#step = step
    this.#log = log
  }

  get state(): Operation['state'] {
    return this.#operation.state
  }

  get result(): Result {
    return this.#operation.result
  }

  settled(): Promise<Result> {
    if (this.#awaited !== null) return this.#operation.settled()
    this.#awaited = this.#settle()
    return this.#awaited
  }

  /** Ends a statement that has a result already. */
  endNow(): void {
    try {
      this.#end(this.#operation.result.affected, null)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Ends it when it settles. */
  follow(): this {
    this.#step?.leave()
    const unlessAwaited = (): void => {
      if (this.#awaited === null) this.endNow()
    }
    this.#operation.settled().then(unlessAwaited, unlessAwaited)
    return this
  }

  // An async function: what ends here is below the `await` of the code that sent the statement, so that
  // its line can be found, and nothing had to be kept for that.
  async #settle(): Promise<Result> {
    try {
      const result = await this.#operation.settled()
      this.#end(result.affected, null)
      return result
    } catch (error) {
      this.#fail(error)
      // As without us, a failure that nobody looks at does not end the process.
      this.#awaited?.catch(() => {})
      throw error
    }
  }

  #fail(error: unknown): void {
    if (this.#step !== null) noteFailedStep(error, this.#step)
    this.#end(0, error instanceof FrameworkError ? error.code : 'E_DATABASE')
  }

  // It may have ended before the code that sent it came to await it.
  #end(rows: number, failure: string | null): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#step?.end(rows, failure)
    if (this.#log === null) return
    const { sql, parameters } = this.query
    const durationMs = this.#step?.durationMs ?? performance.now() - this.#startMs
    try {
      this.#log({ sql, parameters: parameters.length, durationMs, rows, failure })
    } catch {}
  }
}

const kinds = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const

const byHead = new Map<string, string>(
  kinds.flatMap((kind) => [
    [kind, kind],
    [kind.toLowerCase(), kind],
  ]),
)

const firstWord = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/|\()*([a-z]+)/i

/** SELECT, INSERT, UPDATE or DELETE by the first word of a statement, else OTHER: for metrics and spans. */
export function statementKind(sql: string): string {
  // All statements that we write ourselves start like this.
  const quick = byHead.get(sql.slice(0, 6))
  if (quick !== undefined) return quick
  const word = firstWord.exec(sql)?.[1]?.toUpperCase() ?? ''
  return byHead.get(word) ?? 'OTHER'
}
