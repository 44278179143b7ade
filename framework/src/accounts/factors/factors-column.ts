import type { Schema } from '../../migrations/schema.ts'
import { maxFactorNames } from './factor-names.ts'

/**
 * Adds the column for the factors of accounts, in a migration: `await addFactorsColumn(schema)`. Its
 * `down` is `schema.dropColumn('users', 'factors')`. `new Users(database, password, { factors: 'factors' })`
 * reads it with the account, so that a sign-in needs no query to know what to ask for.
 */
export async function addFactorsColumn(schema: Schema, table: string = 'users'): Promise<void> {
  await schema.addColumn(table, (columns) =>
    columns.text('factors', { length: maxFactorNames }).nullable(),
  )
}
