import { Client, type QueryArrayConfig } from 'pg'
import {
  type Blog,
  type Counter,
  feedComments,
  feedPosts,
  type StoredEvent,
  talliedPosts,
} from '../blog.ts'
import { feedOf, type FlatFeedRow } from './feed-rows.ts'

const asText = { getTypeParser: () => (text: string) => text }

/** SQL by hand on `pg`: prepared statements, rows as lists, lists of values as arrays. */
export async function open(url: string): Promise<Blog> {
  const client = new Client({ connectionString: url, pipeline: true })
  await client.connect()
  const rowsOf = async <Row extends readonly unknown[]>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> => {
    const config: QueryArrayConfig = {
      name,
      text,
      values: [...values],
      rowMode: 'array',
      types: asText,
    }
    return (await client.query<Row>(config)).rows
  }
  const counterOf = ([row]: readonly (readonly string[])[]): Counter => toCounter(row ?? [])

  return {
    feed: async (from) =>
      feedOf(
        await rowsOf<FlatFeedRow>(
          'feed',
          'SELECT p.id, p.title, c.id, c.body, c.score, a.id, a.name FROM' +
            ` (SELECT id, title FROM posts WHERE id >= $1 ORDER BY id LIMIT ${feedPosts}) p` +
            ' LEFT JOIN LATERAL (SELECT id, body, score, author_id FROM comments' +
            ` WHERE post_id = p.id ORDER BY id DESC LIMIT ${feedComments}) c ON true` +
            ' LEFT JOIN authors a ON a.id = c.author_id ORDER BY p.id, c.id DESC',
          [from],
        ),
      ),
    tally: async (from) => {
      const rows = await rowsOf<readonly string[]>(
        'tally',
        'SELECT author_id, count(*), sum(score), max(score) FROM comments' +
          ' WHERE post_id >= $1 AND post_id < $2 GROUP BY author_id',
        [from, from + BigInt(talliedPosts)],
      )
      return rows.map(([author = '', comments, score, best]) => ({
        authorId: BigInt(author),
        comments: Number(comments),
        score: Number(score),
        best: Number(best),
      }))
    },
    insertMany: async (events) => {
      const rows = await rowsOf<readonly string[]>(
        'events',
        'INSERT INTO events (name, amount, at) SELECT * FROM' +
          ' unnest($1::text[], $2::int[], $3::timestamptz[]) RETURNING id, name, amount, at',
        [
          events.map(({ name }) => name),
          events.map(({ amount }) => amount),
          events.map(({ at }) => at.toISOString()),
        ],
      )
      return rows.map(toEvent)
    },
    upsert: async ({ name, hits }) =>
      counterOf(
        await rowsOf(
          'upsert',
          'INSERT INTO counters (name, hits) VALUES ($1, $2)' +
            ' ON CONFLICT (name) DO UPDATE SET hits = excluded.hits RETURNING id, name, hits',
          [name, hits],
        ),
      ),
    upsertMany: async (counters) => {
      const rows = await rowsOf<readonly string[]>(
        'upserts',
        'INSERT INTO counters (name, hits) SELECT * FROM unnest($1::text[], $2::int[])' +
          ' ON CONFLICT (name) DO UPDATE SET hits = excluded.hits RETURNING id, name, hits',
        [counters.map(({ name }) => name), counters.map(({ hits }) => hits)],
      )
      return rows.map(toCounter)
    },
    increment: async (id, by) =>
      counterOf(
        await rowsOf(
          'increment',
          'UPDATE counters SET hits = hits + $1 WHERE id = $2 RETURNING id, name, hits',
          [by, id],
        ),
      ),
  }
}

function toEvent([id = '', name = '', amount, at = '']: readonly string[]): StoredEvent {
  return { id: BigInt(id), name, amount: Number(amount), at: new Date(at) }
}

function toCounter([id = '', name = '', hits]: readonly string[]): Counter {
  return { id: BigInt(id), name, hits: Number(hits) }
}
