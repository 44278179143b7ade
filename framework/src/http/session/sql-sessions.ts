import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Result } from '../../database/operation.ts'
import type { Surface } from '../../database/surface.ts'
import { fixedSql, sql } from '../../database/sql/plan/statement.ts'
import { ExpiringTable } from '../../database/expiring-table.ts'
import { nullIfDuplicate } from '../../database/database-error.ts'
import type { Schema } from '../../migrations/schema.ts'
import { holdsPending } from './session-data.ts'
import type {
  ListedSession,
  SessionRow,
  SessionStore,
  SessionUse,
  StoredSession,
} from './session-store.ts'

/** Options of `SqlSessions`. */
export interface SqlSessionsOptions {
  /** Created by `createSessionsTable`. @default 'sessions' */
  readonly table?: string
}

/** Sessions in a table of the database, shared by all workers. */
export class SqlSessions implements SessionStore {
  readonly #surface: Surface
  readonly #rows: ExpiringTable
  readonly #table: unknown
  readonly #select: string

  /** Pass a transaction to make the calls, such as `destroyOf`, part of it. */
  constructor(surface: Surface, { table = 'sessions' }: SqlSessionsOptions = {}) {
    this.#surface = surface
    this.#rows = new ExpiringTable(surface, table, 'digest')
    this.#table = this.#rows.name
    // Compiled once: most requests run only this statement.
    this.#select = sql`SELECT data, revision, created_at, used FROM ${this.#table}
      WHERE digest = ${''}`.compile(surface.dialect).sql
  }

  read(digest: string): StoredSession | null | Promise<StoredSession | null> {
    const operation = this.#surface.dispatch({
      sql: this.#select,
      parameters: [digest],
      raw: true,
    })
    if (operation.state === 'done') return storedIn(operation.result)
    return operation.settled().then(storedIn)
  }

  async create(digest: string, row: SessionRow): Promise<boolean> {
    const { data, identity, device, agent, peer, created, used, expires } = row
    const insert = sql`INSERT INTO ${this.#table}
      (digest, data, revision, identity, device, agent, peer, created_at, used, expires)
      VALUES (${digest}, ${data}, 1, ${identity}, ${device}, ${agent}, ${peer}, ${created},
        ${used}, ${expires})`
    return (await this.#rows.run(insert).catch(nullIfDuplicate)) !== null
  }

  async save(
    digest: string,
    revision: number,
    row: SessionRow,
    newDigest: string,
  ): Promise<boolean> {
    const { data, identity, device, agent, peer, created, used, expires } = row
    const { affected } = await this.#rows.run(sql`UPDATE ${this.#table} SET digest = ${newDigest},
      data = ${data}, revision = ${revision + 1}, identity = ${identity}, device = ${device},
      agent = ${agent}, peer = ${peer}, created_at = ${created}, used = ${used}, expires = ${expires}
      WHERE digest = ${digest} AND revision = ${revision}`)
    return affected === 1
  }

  async touch(digest: string, { used, expires, agent, peer }: SessionUse): Promise<void> {
    await this.#rows.run(sql`UPDATE ${this.#table}
      SET used = ${used}, expires = ${expires}, agent = ${agent}, peer = ${peer}
      WHERE digest = ${digest} AND used < ${used}`)
  }

  async isLive(identity: string, digest: string): Promise<boolean> {
    const { dialect, transactional } = this.#surface
    // Whoever ends it waits for the transaction, also if it ends without a lock on the account.
    const lock = transactional ? fixedSql(dialect.locks.share) : sql``
    const [row] = await this.#surface.rows(sql`SELECT data FROM ${this.#table}
      WHERE digest = ${digest} AND identity = ${identity}${lock}`)
    return row !== undefined && !holdsPending(String(row['data']))
  }

  async destroy(digest: string): Promise<boolean> {
    return (await this.#rows.drop(sql`digest = ${digest}`)) === 1
  }

  async destroyOf(identity: string, exceptDigest: string | null): Promise<number> {
    const others = sql`identity = ${identity} AND digest <> ${exceptDigest ?? ''}`
    // A DELETE of MariaDB also locks the session to keep, and is in a deadlock with whoever looks whether
    // that one is live. Mostly there is nothing to delete outside of a transaction, and to look locks nothing.
    if (!this.#surface.transactional) {
      const [other] = await this.#rows.rows(
        sql`SELECT 1 FROM ${this.#table} WHERE ${others} LIMIT 1`,
      )
      if (other === undefined) return 0
    }
    return this.#rows.drop(others)
  }

  // By device rather than by listed digests: that also finds a session that is being given a new id.
  destroyDevice(identity: string, device: string): Promise<number> {
    return this.#rows.drop(sql`identity = ${identity} AND device = ${device}`)
  }

  async list(identity: string): Promise<readonly ListedSession[]> {
    const rows = await this.#surface.rows(sql`SELECT digest, data, device, created_at, used, agent,
      peer FROM ${this.#table} WHERE identity = ${identity}`)
    return rows.map(listed)
  }

  sweep(now: number): Promise<number> {
    return this.#rows.sweep(sql`expires <= ${now}`)
  }
}

function storedIn({ rows: [row] }: Result): StoredSession | null {
  if (!Array.isArray(row)) return null
  const [data, revision, created, used]: readonly unknown[] = row
  return {
    data: String(data),
    revision: Number(revision),
    created: Number(created),
    used: Number(used),
  }
}

function listed(row: ObjectRow): ListedSession {
  return {
    digest: String(row['digest']),
    data: String(row['data']),
    device: typeof row['device'] === 'string' ? row['device'] : null,
    created: Number(row['created_at']),
    used: Number(row['used']),
    agent: String(row['agent']),
    peer: String(row['peer']),
  }
}

/**
 * Creates the table of `SqlSessions` in a migration: `await createSessionsTable(schema)`. The matching
 * `down` is `schema.dropTable('sessions')`.
 */
export async function createSessionsTable(
  schema: Schema,
  name: string = 'sessions',
): Promise<void> {
  await schema.createTable(name, (table) => {
    // The digest is not the primary key: under READ COMMITTED, a query by another column (such as the
    // one that ends all sessions of an account) can miss a row whose primary key is changing.
    table.key()
    table.char('digest', 64).unique()
    table.text('data')
    table.integer('revision')
    table.text('identity', { length: 255 }).nullable()
    table.text('device', { length: 64 }).nullable()
    table.text('agent', { length: 255 })
    table.text('peer', { length: 64 })
    table.bigint('created_at')
    table.bigint('used')
    table.bigint('expires')
    table.index(['identity'])
    table.index(['expires'])
  })
}

/**
 * For migrations from before forms that are sent twice were rows among the sessions: creates a table that
 * nothing uses.
 */
export async function createSubmissionsTable(
  schema: Schema,
  name: string = 'submissions',
): Promise<void> {
  await schema.createTable(name, (table) => table.key())
}
