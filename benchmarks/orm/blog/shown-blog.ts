import type { Blog, Counter, FeedPost, Tally } from './blog.ts'
import {
  counterCount,
  expectedFeed,
  expectedTally,
  insertedRows,
  newCounters,
  newEvents,
} from './blog-data.ts'

/** What a library answers before it is measured, one answer after the other, as plain data. */
export type ShownBlog = Readonly<Record<string, unknown>>

const shownFrom = 101

/** Does everything once. The tables are as after `resetStatements`. */
export async function showBlog(blog: Blog): Promise<ShownBlog> {
  const events = await blog.insertMany(newEvents())
  const fresh = await blog.upsert({ name: 'fresh', hits: 4 })
  const many = await blog.upsertMany?.(newCounters(counterCount - 49, 6))
  return {
    feed: (await blog.feed(BigInt(shownFrom))).map(plainPost),
    tally: (await blog.tally(BigInt(shownFrom)))
      .map(plainTally)
      .toSorted((one, other) => Number(one.authorId - other.authorId)),
    insertMany: events.map(({ name, amount, at }) => ({ name, amount, at })),
    keys: new Set(events.map(({ id }) => typeof id === 'bigint' && id)).size,
    upsert: fresh.hits,
    upsertAgain: hitsAndKey(await blog.upsert({ name: 'fresh', hits: 9 }), fresh.id),
    upsertMany: many === undefined ? 'none' : many.map(({ name, hits }) => ({ name, hits })),
    increment: hitsAndKey(await blog.increment(fresh.id, 3), fresh.id),
  }
}

/** What every library must show. */
export function expectedBlog(hasUpsertMany: boolean): ShownBlog {
  return {
    feed: expectedFeed(shownFrom),
    tally: expectedTally(shownFrom),
    insertMany: newEvents(),
    keys: insertedRows,
    upsert: 4,
    upsertAgain: [9, true],
    upsertMany: hasUpsertMany ? newCounters(counterCount - 49, 6) : 'none',
    increment: [12, true],
  }
}

/** What the tables must hold afterwards: statements, and the first row of each. */
export function expectedTables(hasUpsertMany: boolean): Readonly<Record<string, string>> {
  const amounts = newEvents().reduce((sum, { amount }) => sum + amount, 0)
  return {
    'SELECT COUNT(*), SUM(amount), COUNT(DISTINCT at) FROM events': `${insertedRows},${amounts},${insertedRows}`,
    'SELECT COUNT(*), SUM(hits) FROM counters': hasUpsertMany
      ? `${counterCount + 51},${12 + 600}`
      : `${counterCount + 1},12`,
  }
}

function hitsAndKey({ hits, id }: Counter, key: bigint): readonly [hits: number, isSame: boolean] {
  return [hits, id === key]
}

// Some give objects of a class of their own, with more in them.
function plainPost({ id, title, comments }: FeedPost): FeedPost {
  return {
    id,
    title,
    comments: comments.map(({ id, body, score, author }) => ({
      id,
      body,
      score,
      author: { id: author.id, name: author.name },
    })),
  }
}

function plainTally({ authorId, comments, score, best }: Tally): Tally {
  return { authorId, comments, score, best }
}
