import { titleEnd } from '../posts.ts'
import {
  feedComments,
  feedPosts,
  type FeedPost,
  type NewCounter,
  type NewEvent,
  talliedPosts,
  type Tally,
} from './blog.ts'

/** Posts that have comments; the others have none. */
export const commentedPosts = 20_000
/** Comments of each of them. */
export const commentsOfPost = 5
/** Authors of comments. */
export const authorCount = 50
/** Counters there are from the beginning. */
export const counterCount = 1_000
/** Rows of one insert, and of one upsert of many. */
export const insertedRows = 1_000
export const upsertedRows = 100

/** The statements that fill the tables of the blog, after they were created. */
export function fillStatements(): readonly string[] {
  const authors = Array.from({ length: authorCount }, (_, at) => `(${at + 1}, '${nameOf(at + 1)}')`)
  const comments = Array.from({ length: commentedPosts * commentsOfPost }, (_, at) => {
    const id = at + 1
    return `(${id}, ${postOf(id)}, ${authorOf(id)}, '${bodyOf(id)}', ${scoreOf(id)})`
  })
  return [
    `INSERT INTO authors (id, name) VALUES ${authors.join(', ')}`,
    ...chunks(comments, 1_000).map(
      (rows) =>
        `INSERT INTO comments (id, post_id, author_id, body, score) VALUES ${rows.join(', ')}`,
    ),
    ...resetStatements(),
  ]
}

/** The statements that undo what libraries wrote. */
export function resetStatements(): readonly string[] {
  const counters = Array.from(
    { length: counterCount },
    (_, at) => `(${at + 1}, 'counter ${at + 1}', 0)`,
  )
  return [
    clearStatement,
    'DELETE FROM counters',
    `INSERT INTO counters (id, name, hits) VALUES ${counters.join(', ')}`,
  ]
}

/** Empties the table that grows in a burst. */
export const clearStatement = 'DELETE FROM events'

/** The feed from a post on, as it must be. */
export function expectedFeed(from: number): readonly FeedPost[] {
  return Array.from({ length: feedPosts }, (_, at) => {
    const post = from + at
    return {
      id: BigInt(post),
      title: `Post ${post}${titleEnd}`,
      comments: Array.from({ length: feedComments }, (_, place) => {
        const id = post * commentsOfPost - place
        const author = authorOf(id)
        return {
          id: BigInt(id),
          body: bodyOf(id),
          score: scoreOf(id),
          author: { id: BigInt(author), name: nameOf(author) },
        }
      }),
    }
  })
}

/** The tally from a post on, as it must be, by author. */
export function expectedTally(from: number): readonly Tally[] {
  const tallies = new Map<number, Tally>()
  const first = (from - 1) * commentsOfPost + 1
  for (let id = first; id < first + talliedPosts * commentsOfPost; id++) {
    const author = authorOf(id)
    const known = tallies.get(author)
    tallies.set(author, {
      authorId: BigInt(author),
      comments: (known?.comments ?? 0) + 1,
      score: (known?.score ?? 0) + scoreOf(id),
      best: Math.max(known?.best ?? 0, scoreOf(id)),
    })
  }
  return [...tallies.values()].toSorted((one, other) => Number(one.authorId - other.authorId))
}

/** Events to insert. */
export function newEvents(): readonly NewEvent[] {
  return Array.from({ length: insertedRows }, (_, at) => ({
    name: `event ${at}`,
    amount: (at * 31) % 1_009,
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, at, 125)),
  }))
}

/** Counters to upsert, from the n-th one on; those that exist and some that may not. */
export function newCounters(from: number, hits: number): readonly NewCounter[] {
  return Array.from({ length: upsertedRows }, (_, at) => ({ name: `counter ${from + at}`, hits }))
}

function nameOf(author: number): string {
  return `Author ${author}`
}

function postOf(comment: number): number {
  return Math.ceil(comment / commentsOfPost)
}

function authorOf(comment: number): number {
  return ((comment * 7) % authorCount) + 1
}

function bodyOf(comment: number): string {
  return `Comment ${comment}, which says something about the post above`
}

function scoreOf(comment: number): number {
  return (comment * 37) % 101
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
