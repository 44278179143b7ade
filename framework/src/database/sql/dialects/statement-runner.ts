import type { Query, Statement } from '../plan/statement.ts'

/** The part of a surface that a dialect needs for tasks of more than one statement. */
export interface StatementRunner {
  /** Whether it is part of a transaction, whose isolation level stands. */
  readonly transactional: boolean
  run(statement: Query | Statement): Promise<unknown>
  rows(statement: Query | Statement): Promise<readonly Readonly<Record<string, unknown>>[]>
  transaction<T>(
    work: (runner: StatementRunner) => Promise<T>,
    options?: { readonly isolation?: 'read-committed' },
  ): Promise<T>
}
