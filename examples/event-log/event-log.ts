import { sql } from 'framework/database'
import type { Database } from 'framework/database'
import {
  average,
  count,
  Counts,
  entity,
  enumeration,
  integer,
  json,
  key,
  maximum,
  Modes,
  Operators,
  Orders,
  Pagination,
  Repository,
  safeInteger,
  timestamp,
} from 'framework/orm'

const Events = entity('events', {
  id: key.integer(),
  at: timestamp(),
  kind: enumeration(['view', 'order', 'error']),
  account: safeInteger(),
  ms: integer(),
  details: json<{ readonly path: string }>(),
})

/** Something that happened. */
export interface NewEvent {
  readonly at: Date
  readonly kind: 'view' | 'order' | 'error'
  readonly account: number
  readonly ms: number
  readonly details: { readonly path: string }
}

/** A log of events that grows to millions of rows. */
export class EventLog {
  readonly #database: Database
  readonly #events: Repository<typeof Events>

  constructor(database: Database) {
    this.#database = database
    this.#events = new Repository(Events, database)
  }

  async record(events: readonly NewEvent[]): Promise<number> {
    return (await this.#events.insertMany(events)).length
  }

  /** The newest events, page by page, at the same cost however deep. */
  async newest(cursor: string | null, limit: number): Promise<EventPage> {
    const selection = this.#events.select().only('id', 'at', 'kind').order(Orders.Desc, 'at')
    const place = cursor === null ? { mode: Modes.Cursor } : { cursor }
    const page = await this.#events.page(selection, new Pagination({ ...place, limit }))
    return { ids: page.items.map(({ id }) => id), next: page.pagination.next }
  }

  /** A page by number with a total that never counts more than a thousand rows. */
  async errors(
    page: number,
  ): Promise<{ readonly total: number | null; readonly isCapped: boolean }> {
    const selection = this.#events.select().filter('kind', Operators.Equal, 'error')
    const pagination = new Pagination({ page, limit: 20, count: Counts.Capped, cap: 1_000 })
    const { total, approximate } = (await this.#events.page(selection, pagination)).pagination
    return { total, isCapped: approximate }
  }

  async perKind(): Promise<readonly KindLine[]> {
    const byKind = this.#events.select().groupBy('kind').order(Orders.Asc, 'kind')
    return this.#events.aggregate(byKind, {
      events: count(),
      slowest: maximum('ms'),
      usual: average('ms'),
    })
  }

  /** The paths with most events: inside a document, so in SQL. */
  async accountsOf(kind: NewEvent['kind'], most: number): Promise<readonly AccountLine[]> {
    const statement = sql`
      SELECT account, COUNT(*) AS events, MAX(at) AS last_at FROM events WHERE kind = ${kind}
      GROUP BY account ORDER BY events DESC, account LIMIT ${most}`
    const columns = { account: safeInteger(), events: integer(), lastAt: timestamp() }
    return this.#database.rows(statement.as(columns))
  }

  async accounts(): Promise<number> {
    return (await this.#events.all(this.#events.select().only('account').distinct())).length
  }

  /** Adds up all durations, row by row, with little memory. */
  async walk(): Promise<{ readonly rows: number; readonly ms: number }> {
    let rows = 0
    let ms = 0
    for await (const event of this.#events.walk(this.#events.select().only('ms'), {
      size: 1_000,
    })) {
      rows += 1
      ms += event.ms
    }
    return { rows, ms }
  }

  /** Forgets what is older. */
  async forget(before: Date): Promise<number> {
    return this.#events.deleteAll(this.#events.select().filter('at', Operators.Less, before))
  }
}

/** A page of events. */
export interface EventPage {
  readonly ids: readonly number[]
  readonly next: string | null
}

/** What there is of one kind. */
export interface KindLine {
  readonly kind: NewEvent['kind']
  readonly events: number
  readonly slowest: number | null
  readonly usual: number | string | null
}

/** What one account did. */
export interface AccountLine {
  readonly account: number
  readonly events: number
  readonly lastAt: Date
}
