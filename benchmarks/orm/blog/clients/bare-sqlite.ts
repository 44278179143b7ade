import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { fileOf } from '../../clients/address.ts'
import { type Blog, type Counter, feedComments, feedPosts, talliedPosts } from '../blog.ts'
import { tallySql } from './joined-feed.ts'
import { plainText } from './times.ts'

/** SQL by hand on `node:sqlite`: prepared statements, rows as lists, one transaction for a list. */
export async function open(url: string): Promise<Blog> {
  const database = new DatabaseSync(fileOf(url))
  // As safe as ours.
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA busy_timeout = 5000')
  const prepared = (sql: string): StatementSync => {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    return statement
  }
  const posts = prepared(`SELECT id, title FROM posts WHERE id >= ? ORDER BY id LIMIT ${feedPosts}`)
  // A statement costs a microsecond here: one for each post is faster than any join.
  const newest = prepared(
    'SELECT c.id, c.body, c.score, a.id, a.name FROM comments c JOIN authors a ON a.id = c.author_id' +
      ` WHERE c.post_id = ? ORDER BY c.id DESC LIMIT ${feedComments}`,
  )
  const tally = prepared(tallySql)
  const insert = prepared('INSERT INTO events (name, amount, at) VALUES (?, ?, ?) RETURNING id')
  const upsert = prepared(
    'INSERT INTO counters (name, hits) VALUES (?, ?)' +
      ' ON CONFLICT (name) DO UPDATE SET hits = excluded.hits RETURNING id, name, hits',
  )
  const increment = prepared(
    'UPDATE counters SET hits = hits + ? WHERE id = ? RETURNING id, name, hits',
  )

  function together<Value>(work: () => Value): Value {
    database.exec('BEGIN IMMEDIATE')
    const value = work()
    database.exec('COMMIT')
    return value
  }

  return {
    feed: (from) =>
      listsIn(posts.all(from)).map(([post = 0n, title]) => ({
        id: BigInt(post),
        title: String(title),
        comments: listsIn(newest.all(post)).map(([id = 0n, body, score, author = 0n, name]) => ({
          id: BigInt(id),
          body: String(body),
          score: Number(score),
          author: { id: BigInt(author), name: String(name) },
        })),
      })),
    tally: (from) =>
      listsIn(tally.all(from, from + BigInt(talliedPosts))).map(
        ([authorId = 0n, comments, score, best]) => ({
          authorId: BigInt(authorId),
          comments: Number(comments),
          score: Number(score),
          best: Number(best),
        }),
      ),
    insertMany: (events) =>
      together(() =>
        events.map(({ name, amount, at }) => {
          const [row] = listsIn(insert.all(name, amount, plainText(at)))
          return { id: BigInt(row?.[0] ?? 0n), name, amount, at }
        }),
      ),
    upsert: ({ name, hits }) => onlyCounter(upsert.all(name, hits)),
    upsertMany: (counters) =>
      together(() => counters.map(({ name, hits }) => onlyCounter(upsert.all(name, hits)))),
    increment: (id, by) => onlyCounter(increment.all(by, id)),
  }
}

function onlyCounter(rows: unknown[]): Counter {
  const [id, name, hits] = listsIn(rows)[0] ?? []
  if (id === undefined) throw new Error('no counter was returned')
  return { id: BigInt(id), name: String(name), hits: Number(hits) }
}

type Cell = bigint | string

// The types of `node:sqlite` do not know of rows as lists.
function listsIn(rows: unknown[]): readonly (readonly Cell[])[] {
  const lists: readonly unknown[] = rows
  if (areLists(lists)) return lists
  throw new TypeError('unreachable: the statements give lists')
}

function areLists(rows: readonly unknown[]): rows is readonly (readonly Cell[])[] {
  return rows.length === 0 || Array.isArray(rows[0])
}
