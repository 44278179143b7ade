import { createConnection } from 'mariadb'
import { addressOf } from '../../clients/address.ts'
import { type Blog, type Counter, type StoredEvent, talliedPosts } from '../blog.ts'
import { feedOf, type FlatFeedRow, type Whole } from './feed-rows.ts'
import { joinedFeed, tallySql } from './joined-feed.ts'
import { plainText } from './times.ts'

const onDuplicate = ' ON DUPLICATE KEY UPDATE hits = VALUES(hits) RETURNING id, name, hits'

/** SQL by hand on `mariadb`: prepared statements, rows as lists. */
export async function open(url: string): Promise<Blog> {
  const connection = await createConnection({ ...addressOf(url), dateStrings: true })
  const run = <Row>(sql: string, values: readonly unknown[]): Promise<Row[]> =>
    connection.execute<Row[]>({ sql, rowsAsArray: true }, values)

  return {
    feed: async (from) => feedOf(await run<FlatFeedRow>(joinedFeed, [from])),
    tally: async (from) => {
      const rows = await run<[bigint, Whole, Whole, Whole]>(tallySql, [
        from,
        from + BigInt(talliedPosts),
      ])
      return rows.map(([authorId, comments, score, best]) => ({
        authorId,
        comments: Number(comments),
        score: Number(score),
        best: Number(best),
      }))
    },
    insertMany: async (events) => {
      const places = events.map(() => '(?, ?, ?)').join(', ')
      const rows = await run<EventRow>(
        `INSERT INTO events (name, amount, at) VALUES ${places} RETURNING id, name, amount, at`,
        events.flatMap(({ name, amount, at }) => [name, amount, plainText(at)]),
      )
      return rows.map(toEvent)
    },
    upsert: async ({ name, hits }) => {
      const rows = await run<CounterRow>(
        `INSERT INTO counters (name, hits) VALUES (?, ?)${onDuplicate}`,
        [name, hits],
      )
      return onlyCounter(rows)
    },
    upsertMany: async (counters) => {
      const places = counters.map(() => '(?, ?)').join(', ')
      const rows = await run<CounterRow>(
        `INSERT INTO counters (name, hits) VALUES ${places}${onDuplicate}`,
        counters.flatMap(({ name, hits }) => [name, hits]),
      )
      return rows.map(toCounter)
    },
    // An UPDATE returns no rows here; both statements are under way at once.
    increment: async (id, by) => {
      const [, rows] = await Promise.all([
        run('UPDATE counters SET hits = hits + ? WHERE id = ?', [by, id]),
        run<CounterRow>('SELECT id, name, hits FROM counters WHERE id = ?', [id]),
      ])
      return onlyCounter(rows)
    },
  }
}

type EventRow = readonly [id: bigint, name: string, amount: number, at: string]
type CounterRow = readonly [id: bigint, name: string, hits: number]

function toEvent([id, name, amount, at]: EventRow): StoredEvent {
  return { id, name, amount, at: new Date(`${at}Z`) }
}

function toCounter([id, name, hits]: CounterRow): Counter {
  return { id, name, hits }
}

function onlyCounter([row]: readonly CounterRow[]): Counter {
  if (row === undefined) throw new Error('no counter was returned')
  return toCounter(row)
}
