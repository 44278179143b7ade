import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Library } from '../library.ts'
import { pageSize, type Post } from '../posts.ts'
import { fileOf } from './address.ts'
import { plainTimes } from './row.ts'
import { decodeToken, encodeToken } from './token.ts'

const columns = 'SELECT id, category, title, views, created_at, author_id FROM posts'
const order = 'ORDER BY created_at, id'

/** SQL by hand on `node:sqlite`: prepared statements, rows as lists, no waiting at all. */
export async function open(url: string): Promise<Library> {
  const database = new DatabaseSync(fileOf(url))
  const prepared = (sql: string): StatementSync => {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    return statement
  }
  const first = prepared(`${columns} ${order} LIMIT ${pageSize + 1}`)
  const after = prepared(
    `${columns} WHERE (created_at, id) > (?, ?) ${order} LIMIT ${pageSize + 1}`,
  )
  const slice = prepared(`${columns} WHERE category = ? ${order} LIMIT ${pageSize} OFFSET ?`)
  const count = prepared('SELECT count(*) FROM posts WHERE category = ?')

  function behind(token: string): readonly Row[] {
    const [createdAt, id] = decodeToken(token)
    return rowsOf(after.all(createdAt, BigInt(id)))
  }

  return {
    walk(token) {
      const rows = token === null ? rowsOf(first.all()) : behind(token)
      const items = rows.slice(0, pageSize).map(toPost)
      const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
      return { items, next: last === undefined ? null : encodeToken([last[4], String(last[0])]) }
    },
    list(category, page) {
      const items = rowsOf(slice.all(category, (page - 1) * pageSize)).map(toPost)
      const total = Number(rowsOf(count.all(category))[0]?.[0])
      return { items, total, pages: Math.ceil(total / pageSize) }
    },
    tokenAfter: plainTimes.tokenAfter,
  }
}

type Row = readonly [
  id: bigint,
  category: bigint,
  title: string,
  views: bigint,
  createdAt: string,
  authorId: bigint,
]

// The types of `node:sqlite` do not know of rows as lists.
function rowsOf(rows: unknown[]): readonly Row[] {
  const lists: readonly unknown[] = rows
  if (areRows(lists)) return lists
  throw new TypeError('unreachable: the statements give lists')
}

function areRows(rows: readonly unknown[]): rows is readonly Row[] {
  return rows.length === 0 || Array.isArray(rows[0])
}

function toPost([id, category, title, views, createdAt, authorId]: Row): Post {
  return {
    id,
    category: Number(category),
    title,
    views: Number(views),
    createdAt: new Date(`${createdAt}Z`),
    authorId,
  }
}
