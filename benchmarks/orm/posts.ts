/** A row as every library has to give it. */
export interface Post {
  readonly id: bigint
  readonly category: number
  readonly title: string
  readonly views: number
  /** Without its microseconds, which a `Date` cannot hold. */
  readonly createdAt: Date
  readonly authorId: bigint
}

/** Where a page ended: the exact time, in UTC with six digits behind the second, and the key. */
export interface Position {
  readonly createdAt: string
  readonly id: bigint
}

/** Rows of a page. */
export const pageSize = 20

/** The first time there is. */
export const firstTime = '2024-01-01 00:00:00'

/** The last part of a title, the same in all of them. */
export const titleEnd = ': how to cut a long list into pages'

/** Beyond 2^53, so that a library that reads 64-bit keys as numbers fails. */
export const firstAuthor = 9_007_199_254_740_993n

/** Microseconds from one group of four rows to the next. */
export const groupMicros = 1_300_037

/** Microseconds of each of the four rows of a group: not in the order of keys, and two at once. */
export const groupOffsets: readonly number[] = [2, 1, 1, 0]

// The same four rows in the order of their times, and of their keys where times are equal.
const groupOrder: readonly number[] = [3, 1, 2, 0]

/** The category with so many rows that it has a page 500. */
export const wideCategory = 0

/** The number of categories before ten of them were joined to the wide one; each has 1,000 rows. */
export function categoryCount(rows: number): number {
  return rows / 1_000
}

/** Categories below this one were joined. */
export const firstNarrowCategory = 10

/** The row with the key `index + 1`. */
export function postAt(index: number, rows: number): Post {
  return {
    id: BigInt(index + 1),
    category: categoryAt(index, rows),
    title: `Post ${index + 1}${titleEnd}`,
    views: (index * 7_919) % 100_003,
    createdAt: new Date(Math.floor(microsAt(index) / 1_000)),
    authorId: firstAuthor + BigInt(index % 5_000),
  }
}

/** The position of the row with the key `index + 1`. */
export function positionAt(index: number): Position {
  const micros = microsAt(index)
  const second = new Date(Math.floor(micros / 1_000)).toISOString().slice(0, 19).replace('T', ' ')
  const fraction = String(micros % 1_000_000).padStart(6, '0')
  return { createdAt: `${second}.${fraction}`, id: BigInt(index + 1) }
}

/** The index of the row that has this place, from 0 on, when rows are ordered by time and key. */
export function indexAtPlace(place: number): number {
  return place - (place % 4) + (groupOrder[place % 4] ?? 0)
}

/** The posts of a category, all of them in order. */
export function postsOf(category: number, rows: number): readonly Post[] {
  const posts: Post[] = []
  for (let place = 0; place < rows; place++) {
    const index = indexAtPlace(place)
    if (categoryAt(index, rows) === category) posts.push(postAt(index, rows))
  }
  return posts
}

function categoryAt(index: number, rows: number): number {
  const category = index % categoryCount(rows)
  return category < firstNarrowCategory ? wideCategory : category
}

function microsAt(index: number): number {
  const first = Date.parse(`${firstTime}Z`) * 1_000
  return first + Math.floor(index / 4) * groupMicros + (groupOffsets[index % 4] ?? 0)
}
