import { pageSize, type Position, type Post } from '../posts.ts'
import type { CursorPage, NumberedPage } from '../library.ts'
import { encodeToken } from './token.ts'

/** A row of a query builder that was told to keep times as the database's own text. */
export interface TimedRow {
  readonly id: bigint | string
  readonly category: number | bigint
  readonly title: string
  readonly views: number | bigint
  readonly createdAt: string
  readonly authorId: bigint | string
}

/** How a database writes a time, and what of it goes into a token. */
export interface Times {
  readonly toDate: (text: string) => Date
  readonly tokenAfter: (position: Position) => string
}

/** PostgreSQL writes a time with its distance to UTC. */
export const zonedTimes: Times = {
  toDate: (text) => new Date(text),
  tokenAfter: ({ createdAt, id }) => encodeToken([`${createdAt}+00`, String(id)]),
}

/** MariaDB and SQLite keep a time in UTC and do not say so. */
export const plainTimes: Times = {
  toDate: (text) => new Date(`${text}Z`),
  tokenAfter: ({ createdAt, id }) => encodeToken([createdAt, String(id)]),
}

/** The page of a walk, made of one row more than it has. */
export function cursorPage(rows: readonly TimedRow[], times: Times): CursorPage {
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
  return {
    items: rows.slice(0, pageSize).map((row) => toPost(row, times)),
    next: last === undefined ? null : encodeToken([last.createdAt, String(last.id)]),
  }
}

/** The page of a category. */
export function numberedPage(rows: readonly TimedRow[], total: number, times: Times): NumberedPage {
  const items = rows.map((row) => toPost(row, times))
  return { items, total, pages: Math.ceil(total / pageSize) }
}

/** A row as the post it is. */
export function toPost(row: TimedRow, { toDate }: Times): Post {
  return {
    id: BigInt(row.id),
    category: Number(row.category),
    title: row.title,
    views: Number(row.views),
    createdAt: toDate(row.createdAt),
    authorId: BigInt(row.authorId),
  }
}
