import type { Query } from '../plan/query.ts'
import type { Statement } from '../plan/statement.ts'

/** What a dialect needs of a surface where a task takes it more than one statement. */
export interface StatementRunner {
  run(statement: Query | Statement): Promise<unknown>
  rows(statement: Statement): Promise<readonly Readonly<Record<string, unknown>>[]>
  transaction<T>(
    work: (runner: StatementRunner) => Promise<T>,
    options?: { readonly isolation?: 'read-committed' },
  ): Promise<T>
}
