import { setTimeout as sleep } from 'node:timers/promises'
import { Wakeup } from '../base/time/wakeup.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import { DatabaseError } from '../database/database-error.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Database } from '../database/surface.ts'
import { ExpiringTable } from '../database/expiring-table.ts'
import type { Schema } from '../migrations/schema.ts'
import type { BroadcastEntry, LogFollower, NewEntry } from './broadcast-log.ts'
import { FollowedLog } from './followed-log.ts'
import { defaultLimits } from './history.ts'
import type { HistoryLimits } from './history.ts'
import { origin } from './position.ts'
import type { Position } from './position.ts'

/** Options of `SqlLog`. */
export interface SqlLogOptions extends Partial<Pick<HistoryLimits, 'maxEvents' | 'maxAge'>> {
  /** Created by `createBroadcastsTable`. @default 'broadcasts' */
  readonly table?: string
  /**
   * Seconds between two looks at the table on a database without notifications. With them, which is
   * PostgreSQL, it looks when it is told, and ten times less often besides.
   * @default 1
   */
  readonly interval?: number
  /** Receives one report per outage. */
  readonly throwables?: Throwables
}

const broadcastsTable = 'broadcasts'
const pageSize = 500
const maxBatch = 100
/** Attempts to add events while other processes add theirs. */
const maxAttempts = 50
const appendsPerSweep = 100

interface Waiting {
  readonly entry: NewEntry
  readonly resolve: (position: Position) => void
  readonly reject: (reason: unknown) => void
}

/** A log in a table of the application's database. Every process reads the rows after those it knows. */
export class SqlLog extends FollowedLog {
  readonly #database: Database
  readonly #table: ExpiringTable
  readonly #topic: string
  readonly #limits: Pick<HistoryLimits, 'maxEvents' | 'maxAge'>
  readonly #intervalMs: number
  readonly #wakeup = new Wakeup()
  readonly #waiting: Waiting[] = []
  #stopListening: (() => Promise<void>) | null = null
  #appending: Promise<void> | null = null
  #appended = 0
  /** Whether the last page had all there was. */
  #isWaiting = false

  constructor(database: Database, options: SqlLogOptions = {}) {
    const { table = broadcastsTable, interval = 1, throwables = Throwables } = options
    const { maxEvents = defaultLimits.maxEvents, maxAge = defaultLimits.maxAge } = options
    super(throwables)
    this.#database = database
    this.#table = new ExpiringTable(database, table, 'id')
    // A name in PostgreSQL has at most 63 characters.
    this.#topic = `framework_${table}`.slice(0, 63)
    this.#limits = { maxEvents, maxAge }
    this.#intervalMs = interval * 1_000 * (database.notices === undefined ? 1 : 10)
  }

  append(entry: NewEntry): Promise<Position> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject })
      this.#appending ??= this.#appendAll()
    })
  }

  override follow(follower: LogFollower): void {
    const wake = (): void => this.#wakeup.wake()
    this.#stopListening = this.#database.notices?.listen(this.#topic, wake) ?? null
    super.follow(follower)
  }

  /** Leaves the database open. */
  override async close(): Promise<void> {
    this.#wakeup.wake()
    await Promise.all([super.close(), this.#appending, this.#stopListening?.()])
  }

  // Those of one process are added one batch after another, so that they keep their order.
  async #appendAll(): Promise<void> {
    for (;;) {
      const batch = this.#waiting.splice(0, maxBatch)
      if (batch.length === 0) break
      try {
        const first = await this.#insert(batch.map(({ entry }) => entry))
        for (const [at, { resolve }] of batch.entries()) {
          resolve({ epoch: first.epoch, sequence: first.sequence + at })
        }
        await this.#sweepSometimes(batch.length, first)
      } catch (thrown) {
        for (const { reject } of batch) reject(thrown)
      }
    }
    this.#appending = null
  }

  async #insert(entries: readonly NewEntry[]): Promise<Position> {
    for (let attempt = 1; ; attempt += 1) {
      const last = await this.last()
      const nowMs = Date.now()
      // Of a whole second, so that two processes that add the first row collide.
      const epoch = last.epoch || nowMs - (nowMs % 1_000)
      const first = { epoch, sequence: last.sequence + 1 }
      const rows = entries.map(({ channel, name, data }, at) => {
        return sql`(${first.epoch}, ${first.sequence + at}, ${channel}, ${name}, ${data}, ${nowMs})`
      })
      try {
        await this.#table.run(sql`INSERT INTO ${this.#table.name}
          (epoch, sequence, channel, name, data, at_ms) VALUES ${sql.list(rows)}`)
        // The event is in the table: without the notice it is only found later.
        await this.#database.notices?.notify(this.#topic).catch(() => {})
        return first
      } catch (thrown) {
        const isTaken = thrown instanceof DatabaseError && thrown.code === 'E_DUPLICATE_KEY'
        if (!isTaken || attempt === maxAttempts) throw thrown
        await sleep(Math.random() * Math.min(attempt, 10) * 2)
      }
    }
  }

  protected async page({ epoch, sequence }: Position): Promise<readonly BroadcastEntry[]> {
    const rows = await this.#table.rows(sql`SELECT epoch, sequence, channel, name, data, at_ms
      FROM ${this.#table.name}
      WHERE epoch > ${epoch} OR (epoch = ${epoch} AND sequence > ${sequence})
      ORDER BY epoch, sequence LIMIT ${pageSize}`)
    return rows.map(entryOf)
  }

  protected async next(after: Position): Promise<readonly BroadcastEntry[]> {
    if (this.#isWaiting) await this.#wakeup.wait(this.#intervalMs)
    if (this.isClosed) return []
    this.#isWaiting = false
    const entries = await this.page(after)
    this.#isWaiting = entries.length < pageSize
    return entries
  }

  protected async last(): Promise<Position> {
    const [row] = await this.#table.rows(sql`SELECT epoch, sequence FROM ${this.#table.name}
      ORDER BY epoch DESC, sequence DESC LIMIT 1`)
    return row === undefined ? origin : positionOf(row)
  }

  async #sweepSometimes(appended: number, { epoch, sequence }: Position): Promise<void> {
    this.#appended += appended
    if (this.#appended < appendsPerSweep) return
    this.#appended = 0
    const oldestMs = Date.now() - this.#limits.maxAge * 1_000
    // The last row stays: the next event gets the number after it.
    await this.#table.sweepBatch(sql`epoch < ${epoch} OR (epoch = ${epoch}
      AND sequence < ${sequence} AND (sequence <= ${sequence - this.#limits.maxEvents} OR at_ms < ${oldestMs}))`)
  }
}

/** Creates the table for `SqlLog`, in a migration. */
export async function createBroadcastsTable(
  schema: Schema,
  name: string = broadcastsTable,
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.bigint('epoch')
    table.bigint('sequence')
    table.text('channel', { length: 128 })
    table.text('name', { length: 64 })
    table.text('data')
    table.bigint('at_ms')
    // Two processes cannot give one place to two events.
    table.unique(['epoch', 'sequence'])
  })
}

function positionOf({ epoch, sequence }: ObjectRow): Position {
  return { epoch: Number(epoch), sequence: Number(sequence) }
}

function entryOf(row: ObjectRow): BroadcastEntry {
  const { channel, name, data, at_ms: atMs } = row
  return {
    position: positionOf(row),
    channel: String(channel),
    name: String(name),
    data: String(data),
    atMs: Number(atMs),
  }
}
