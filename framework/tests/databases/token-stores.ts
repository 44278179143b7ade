import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { SecretRowsOptions } from '../../src/accounts/tokens/secret-rows.ts'
import { createTokensTable, Tokens } from '../../src/accounts/tokens/tokens.ts'
import { createTrustsTable, Trust } from '../../src/accounts/devices/trust.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Throwables } from '../../src/errors/throwables/throwables.ts'
import type { Database, Surface } from '../../src/database/surface.ts'
import type { ObjectRow } from '../../src/database/sql/plan/declared-rows.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { Statement, Query } from '../../src/database/sql/plan/statement.ts'
import type { OpenDatabase } from '../support/test-databases.ts'

/** A database with the tables of `Tokens` and `Trust`, a frozen clock, and a memory of what was reported. */
export class TokenStores {
  readonly database: Database
  readonly clock: { now: number } = { now: 1_700_000_000 }
  readonly reported: unknown[] = []
  readonly throwables: Throwables = createThrowables()

  constructor(database: Database) {
    this.database = database
    this.throwables.reporters.push((error, context) => this.reported.push(error, context))
  }

  static async open(
    t: TestContext | null,
    open: OpenDatabase,
    options?: string,
  ): Promise<TokenStores> {
    const database = await open(t, options)
    await createTables(database)
    return new TokenStores(database)
  }

  get options(): SecretRowsOptions {
    const { clock, throwables } = this
    return { clock: () => clock.now, throwables, random: () => 0.5 }
  }

  tokens(surface: Surface = this.database): Tokens {
    return new Tokens(surface, this.options)
  }

  trust(surface: Surface = this.database): Trust {
    return new Trust(surface, this.options)
  }

  /** All rows of a table, in the order they were added, whole numbers as numbers. */
  async rows(table: 'tokens' | 'trusts'): Promise<readonly ObjectRow[]> {
    const rows = await this.database.rows(sql`SELECT * FROM ${sql.name(table)} ORDER BY id`)
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(isOfUs).map(plain)))
  }
}

/** Makes the two tables. */
export async function createTables(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    const schema = new Schema(transaction)
    await createTokensTable(schema)
    await createTrustsTable(schema)
  })
}

// The database counts it up, also for rows that are gone.
function isOfUs([name]: [string, unknown]): boolean {
  return name !== 'id'
}

const wholeNumbers = new Set(['expires', 'created_at', 'rotated', 'used'])

function plain([name, value]: [string, unknown]): [string, unknown] {
  return [name, wholeNumbers.has(name) && value !== null ? Number(value) : value]
}

/** What is stored of the secret half of a token. */
export function storedDigest(token: string): string {
  return createHash('sha256')
    .update(token.split('.')[1] ?? '')
    .digest('hex')
}

/** The same token with another secret. */
export function tampered(token: string): string {
  return token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
}

type Send = (statement: Query | Statement) => Promise<unknown>

/** The same surface, on which `send` decides what becomes of each statement. */
export function around<S extends Surface>(
  surface: S,
  send: (proceed: () => Promise<unknown>, statement: Query | Statement) => Promise<unknown>,
): S {
  const run: Send = (statement) => send(() => surface.run(statement), statement)
  const rows: Send = (statement) => send(() => surface.rows(statement), statement)
  return new Proxy(surface, {
    get: (target, name) => {
      if (name === 'run') return run
      if (name === 'rows') return rows
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
