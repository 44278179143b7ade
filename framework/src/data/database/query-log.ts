import { FrameworkError } from '../../base/errors.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Operation } from './operation.ts'

/** One statement that was run. Bound values are left out: they hold what people typed. */
export interface QueryEntry {
  readonly sql: string
  /** How many values were bound. */
  readonly parameters: number
  readonly durationMs: number
  /** Rows read or changed; 0 when it failed. */
  readonly rows: number
  /** Code of the failure, or null when it worked. */
  readonly failure: string | null
}

/** Hears of every statement once it has its answer. What it throws is ignored. */
export type QueryLog = (entry: QueryEntry) => void

type Send = (query: Query) => Operation

/** The same way to send, with every statement told to the log. Without a log nothing is added. */
export function recorded(send: Send, log: QueryLog | null): Send {
  if (log === null) return send
  return (query) => {
    const startMs = performance.now()
    const operation = send(query)
    // An answer that is there already must not be charged with what the caller does before we are told.
    const endMs = operation.state === 'pending' ? null : performance.now()
    const durationMs = (): number => (endMs ?? performance.now()) - startMs
    operation.settled().then(
      ({ affected }) => tell(log, entry(query, durationMs(), affected, null)),
      (error: unknown) => tell(log, entry(query, durationMs(), 0, failureOf(error))),
    )
    return operation
  }
}

function entry(query: Query, durationMs: number, rows: number, failure: string | null): QueryEntry {
  const { sql, parameters } = query
  return { sql, parameters: parameters.length, durationMs, rows, failure }
}

function failureOf(error: unknown): string {
  return error instanceof FrameworkError ? error.code : 'E_DATABASE'
}

function tell(log: QueryLog, told: QueryEntry): void {
  try {
    log(told)
  } catch {}
}
