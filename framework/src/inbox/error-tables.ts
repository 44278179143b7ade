import type { Schema } from '../migrations/schema.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { maxMark } from './error-batch.ts'

/** The tables of `SqlErrors`. */
export const errorTables = {
  groups: 'error_groups',
  samples: 'error_samples',
  marks: 'error_marks',
} as const
Object.freeze(errorTables)

/** Their names in statements. */
export const groups: unknown = sql.name(errorTables.groups)
export const samples: unknown = sql.name(errorTables.samples)
export const marks: unknown = sql.name(errorTables.marks)

/** Creates the tables of `SqlErrors`, in a migration. */
export async function createErrorTables(schema: Schema): Promise<void> {
  await schema.createTable(errorTables.groups, (table) => {
    table.char('fingerprint', 32)
    table.primary(['fingerprint'])
    table.text('class', { length: 200 })
    table.text('message', { length: 500 })
    table.text('code', { length: 100 }).nullable()
    table.text('place', { length: 300 })
    table.text('state', { length: 8 })
    table.bigint('occurrences')
    table.bigint('first_ms')
    table.bigint('last_ms')
    table.text('first_release', { length: maxMark })
    table.text('last_release', { length: maxMark })
    table.bigint('resolved_ms').nullable()
    table.text('resolved_release', { length: maxMark }).nullable()
    table.bigint('returned_ms').nullable()
    table.text('returned_release', { length: maxMark }).nullable()
    table.index(['state', 'last_ms'])
  })
  await schema.createTable(errorTables.samples, (table) => {
    table.key()
    table.char('fingerprint', 32)
    table.bigint('at_ms')
    table.text('body')
    table.index(['fingerprint', 'id'])
  })
  // Each account, route and release that a group was seen with, once.
  await schema.createTable(errorTables.marks, (table) => {
    table.char('fingerprint', 32)
    table.text('kind', { length: 8 })
    table.text('value', { length: maxMark })
    table.primary(['fingerprint', 'kind', 'value'])
  })
}

/** Drops the tables of `createErrorTables`, in the `down` of its migration. */
export async function dropErrorTables(schema: Schema): Promise<void> {
  for (const name of Object.values(errorTables)) await schema.dropTable(name)
}
