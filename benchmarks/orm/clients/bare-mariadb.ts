import { createConnection } from 'mariadb'
import type { CursorPage, Library, NumberedPage } from '../library.ts'
import { pageSize, type Post } from '../posts.ts'
import { addressOf } from './address.ts'
import { plainTimes } from './row.ts'
import { decodeToken, encodeToken } from './token.ts'

type Row = readonly [
  id: bigint,
  category: number,
  title: string,
  views: number,
  createdAt: string,
  authorId: bigint,
]

const columns = 'SELECT id, category, title, views, created_at, author_id FROM posts'
const order = 'ORDER BY created_at, id'
const first = `${columns} ${order} LIMIT ${pageSize + 1}`
// Row values would not be searched for in an index.
const after =
  `${columns} WHERE created_at >= ? AND (created_at > ? OR (created_at = ? AND id > ?)) ` +
  `${order} LIMIT ${pageSize + 1}`
const slice = `${columns} WHERE category = ? ${order} LIMIT ${pageSize} OFFSET ?`
const count = 'SELECT count(*) FROM posts WHERE category = ?'

/** SQL by hand on `mariadb`: prepared statements, rows as lists, one connection that pipelines. */
export async function open(url: string): Promise<Library> {
  const connection = await createConnection({ ...addressOf(url), dateStrings: true })
  const run = <Rows>(sql: string, values: readonly unknown[]): Promise<Rows> =>
    connection.execute<Rows>({ sql, rowsAsArray: true }, values)

  async function walk(token: string | null): Promise<CursorPage> {
    const rows = await (token === null ? run<Row[]>(first, []) : behind(token))
    const items = rows.slice(0, pageSize).map(toPost)
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
    return { items, next: last === undefined ? null : encodeToken([last[4], String(last[0])]) }
  }

  function behind(token: string): Promise<Row[]> {
    const [createdAt, id] = decodeToken(token)
    return run<Row[]>(after, [createdAt, createdAt, createdAt, BigInt(id)])
  }

  async function list(category: number, page: number): Promise<NumberedPage> {
    const [rows, [counted]] = await Promise.all([
      run<Row[]>(slice, [category, (page - 1) * pageSize]),
      run<[bigint][]>(count, [category]),
    ])
    const total = Number(counted?.[0])
    return { items: rows.map(toPost), total, pages: Math.ceil(total / pageSize) }
  }

  return { walk, list, tokenAfter: plainTimes.tokenAfter }
}

function toPost([id, category, title, views, createdAt, authorId]: Row): Post {
  return { id, category, title, views, createdAt: new Date(`${createdAt}Z`), authorId }
}
