import type { Transaction } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'

/** Deletes something of an account, in the transaction that deletes the account. */
export type DeleteStep = (transaction: Transaction, user: string) => Promise<unknown>

/** A step that deletes the rows of an account from a table: `rowsOf('orders', 'customer_id')`. */
export function rowsOf(table: string, column: string = 'user_id'): DeleteStep {
  return (transaction, user) =>
    transaction.run(sql`DELETE FROM ${sql.name(table)} WHERE ${sql.name(column)} = ${user}`)
}
