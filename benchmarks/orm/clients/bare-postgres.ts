import { Client, type QueryArrayConfig } from 'pg'
import type { CursorPage, Library, NumberedPage } from '../library.ts'
import { pageSize, type Post } from '../posts.ts'
import { decodeToken, encodeToken } from './token.ts'

type Row = readonly [
  id: string,
  category: string,
  title: string,
  views: string,
  createdAt: string,
  authorId: string,
]

const columns = 'SELECT id, category, title, views, created_at, author_id FROM posts'
const order = 'ORDER BY created_at, id'
const asText = { getTypeParser: () => (text: string) => text }

/**
 * SQL by hand on `pg`: prepared statements, rows as lists, one connection that pipelines, and both
 * statements of a numbered page in one write. The best that the driver gives.
 */
export async function open(url: string): Promise<Library> {
  const client = new Client({ connectionString: url, pipeline: true })
  await client.connect()
  const rowsOf = async (name: string, text: string, values: string[]): Promise<Row[]> => {
    const config: QueryArrayConfig = { name, text, values, rowMode: 'array', types: asText }
    return (await client.query<Row>(config)).rows
  }

  async function walk(token: string | null): Promise<CursorPage> {
    const probe = pageSize + 1
    const rows =
      token === null
        ? await rowsOf('first', `${columns} ${order} LIMIT ${probe}`, [])
        : await rowsOf(
            'after',
            `${columns} WHERE (created_at, id) > ($1, $2) ${order} LIMIT ${probe}`,
            [...decodeToken(token)],
          )
    const items = rows.slice(0, pageSize).map(toPost)
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
    return { items, next: last === undefined ? null : encodeToken([last[4], last[0]]) }
  }

  async function list(category: number, page: number): Promise<NumberedPage> {
    const { stream } = client.connection
    stream.cork()
    const asked = Promise.all([
      rowsOf('list', `${columns} WHERE category = $1 ${order} LIMIT ${pageSize} OFFSET $2`, [
        String(category),
        String((page - 1) * pageSize),
      ]),
      rowsOf('count', 'SELECT count(*) FROM posts WHERE category = $1', [String(category)]),
    ])
    stream.uncork()
    const [rows, [count]] = await asked
    const total = Number(count?.[0])
    return { items: rows.map(toPost), total, pages: Math.ceil(total / pageSize) }
  }

  return {
    walk,
    list,
    tokenAfter: ({ createdAt, id }) => encodeToken([`${createdAt}+00`, String(id)]),
  }
}

function toPost([id, category, title, views, createdAt, authorId]: Row): Post {
  return {
    id: BigInt(id),
    category: Number(category),
    title,
    views: Number(views),
    createdAt: new Date(createdAt),
    authorId: BigInt(authorId),
  }
}
