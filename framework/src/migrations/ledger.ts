import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Surface } from '../database/surface.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { checkedIdentifier } from './identifier.ts'
import type { MigrationFile } from './migration-file.ts'

/** The record of an applied migration. */
export interface LedgerRow {
  readonly name: string
  /** Number of the run that applied it. */
  readonly batch: number
  readonly checksum: string
  /** In UTC, to the second: `2026-01-31 12:00:00`. */
  readonly appliedAt: string
}

/** The table of applied migrations. */
export class Ledger {
  readonly #name: string
  readonly #table: unknown

  constructor(table: string) {
    this.#name = checkedIdentifier(table)
    this.#table = sql.name(table)
  }

  /** Creates the table if it does not exist. Only one process may do this at a time. */
  async prepare(surface: Surface): Promise<void> {
    if (await this.#isThere(surface)) return
    // Loaded here: a server that starts only reads.
    const { createTableStatements } = await import('./compile-table.ts')
    const { tableDefinition } = await import('./table-definition.ts')
    const definition = tableDefinition(this.#name, (columns) => {
      columns.text('name', { length: 200 })
      columns.integer('batch')
      columns.text('checksum', { length: 80 })
      columns.timestamp('applied_at').defaultNow()
      columns.primary(['name'])
    })
    for (const statement of createTableStatements(definition, surface.dialect)) {
      await surface.run({ sql: statement, parameters: [] })
    }
  }

  /** The applied migrations in order; empty if there is no table yet. */
  async read(surface: Surface): Promise<readonly LedgerRow[]> {
    if (!(await this.#isThere(surface))) return []
    const rows = await surface.rows(
      sql`SELECT name, batch, checksum, applied_at FROM ${this.#table}`,
    )
    return rows.map(ledgerRow).toSorted(byApplication)
  }

  /** Records a migration. */
  async add(surface: Surface, { name, checksum }: MigrationFile, batch: number): Promise<void> {
    await surface.run(
      sql`INSERT INTO ${this.#table} (name, batch, checksum) VALUES (${name}, ${batch}, ${checksum})`,
    )
  }

  /** Records the current checksum of an applied migration. */
  async accept(surface: Surface, { name, checksum }: MigrationFile): Promise<void> {
    await surface.run(sql`UPDATE ${this.#table} SET checksum = ${checksum} WHERE name = ${name}`)
  }

  /** Removes the record of a migration. */
  async remove(surface: Surface, name: string): Promise<void> {
    await surface.run(sql`DELETE FROM ${this.#table} WHERE name = ${name}`)
  }

  async #isThere(surface: Surface): Promise<boolean> {
    return (await surface.rows(surface.dialect.schema.findTable(this.#name))).length > 0
  }
}

function ledgerRow({ name, batch, checksum, applied_at: appliedAt }: ObjectRow): LedgerRow {
  return {
    name: String(name),
    batch: Number(batch),
    checksum: String(checksum),
    appliedAt: String(appliedAt).slice(0, 19),
  }
}

function byApplication(one: LedgerRow, other: LedgerRow): number {
  if (one.batch !== other.batch) return one.batch - other.batch
  return one.name < other.name ? -1 : 1
}
