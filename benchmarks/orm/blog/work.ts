import type { BlogContests } from '../contests.ts'
import { type Blog, feedPosts } from './blog.ts'
import { counterCount, insertedRows, newCounters, newEvents, upsertedRows } from './blog-data.ts'

/** Does the work of a contest once and returns how many rows came of it. */
export type BlogWork = () => number | Promise<number>

// So many places to read from, in turn.
const places = 100

/** The work of a library in each contest, again and again; null where it takes no part. */
export function blogWorksOf(blog: Blog): Readonly<Record<BlogContests, BlogWork | null>> {
  const events = newEvents()
  const { upsertMany } = blog
  let turn = 0
  const next = (): number => (turn += 1)
  return {
    'nested-with': () => counted(blog.feed(place(next())), ({ length }) => length),
    aggregate: () => counted(blog.tally(place(next())), ({ length }) => length),
    'insert-many': () => counted(blog.insertMany(events), ({ length }) => length),
    upsert: () => {
      const hits = next()
      const counter = { name: `counter ${(hits % counterCount) + 1}`, hits }
      return counted(blog.upsert(counter), (stored) => stored.hits / hits)
    },
    'upsert-many':
      upsertMany === null
        ? null
        : () => {
            const hits = next()
            const from = (hits % (counterCount - upsertedRows)) + 1
            return counted(upsertMany(newCounters(from, hits)), ({ length }) => length)
          },
    increment: () =>
      counted(blog.increment(BigInt((next() % counterCount) + 1), 1), ({ hits }) =>
        Number(hits > 0),
      ),
  }
}

function place(turn: number): bigint {
  return BigInt(1 + (turn % places) * feedPosts)
}

// Synchronous libraries are not made to wait.
function counted<Value>(
  answer: Value | Promise<Value>,
  count: (value: Value) => number,
): number | Promise<number> {
  return answer instanceof Promise ? answer.then(count) : count(answer)
}

/** How many rows each piece of work returns; anything else is an error. */
export const blogRows: Readonly<Record<BlogContests, number>> = {
  'nested-with': feedPosts,
  aggregate: 50,
  'insert-many': insertedRows,
  upsert: 1,
  'upsert-many': upsertedRows,
  increment: 1,
}
