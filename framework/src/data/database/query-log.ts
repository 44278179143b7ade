import { FrameworkError } from '../../base/errors.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Operation } from './operation.ts'

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

/** Wraps `send` so that every statement is logged. Without a log, returns `send` itself. */
export function withQueryLog(send: Send, log: QueryLog | null): Send {
  if (log === null) return send
  return (query) => {
    const startMs = performance.now()
    const operation = send(query)
    // Measured now if settled: the callbacks below run only after the caller has continued.
    const endMs = operation.state === 'pending' ? null : performance.now()
    const durationMs = (): number => (endMs ?? performance.now()) - startMs
    operation.settled().then(
      ({ affected }) => write(log, entry(query, durationMs(), affected, null)),
      (error: unknown) => write(log, entry(query, durationMs(), 0, failureOf(error))),
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

function write(log: QueryLog, told: QueryEntry): void {
  try {
    log(told)
  } catch {}
}
