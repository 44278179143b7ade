import {
  Counts,
  entity,
  integer,
  key,
  Modes,
  Orders,
  Pagination,
  Repository,
  text,
} from '../../../framework/dist/public/orm.js'
import { sql } from '../../../framework/dist/public/database.js'
import { microsOf, Shapes } from '../curve.ts'
import type { Case, Curve } from '../curve.ts'
import type { Ground } from '../ground.ts'

const Posts = entity('posts', { id: key.bigint(), title: text(), views: integer() })
const limit = 20

/** Pages of a table that grows. */
export async function rowCurves(ground: Ground, sizes: readonly number[]): Promise<Curve[]> {
  const first = new Map<number, Case>()
  const deep = new Map<number, Case>()
  const counted = new Map<number, Case>()
  const estimated = new Map<number, Case>()
  for (const size of sizes) {
    const database = await ground.database(
      async (schema) => {
        await schema.createTable('posts', (table) => {
          table.key()
          table.text('title')
          table.integer('views')
          table.index(['views', 'id'])
        })
      },
      sql`INSERT INTO posts (title, views)
        SELECT 'Post ' || at, (at::bigint * 7919 % 100003)::integer FROM generate_series(1, ${size}) AS at`,
    )
    const posts = new Repository(Posts, database)
    const byViews = posts.select().order(Orders.Asc, 'views')
    const page = (inputs: ConstructorParameters<typeof Pagination>[0]): Case => ({
      measure: () => microsOf(() => posts.page(byViews, new Pagination({ ...inputs, limit }))),
    })
    first.set(size, page({ mode: Modes.Cursor }))
    deep.set(size, page({ cursor: Pagination.encode([90_000, String(Math.floor(size / 2))]) }))
    counted.set(size, page({ page: 1 }))
    estimated.set(size, page({ page: 1, count: Counts.Estimate }))
  }
  const curve = { group: 'Rows of a table', unit: 'µs' } as const
  return [
    { ...curve, name: 'first page by cursor', shape: Shapes.Logarithmic, cases: first },
    {
      ...curve,
      name: 'a page by cursor, nine tenths down',
      shape: Shapes.Logarithmic,
      cases: deep,
    },
    { ...curve, name: 'page 1 with its exact count', shape: Shapes.Linear, cases: counted },
    { ...curve, name: 'page 1 with an estimate', shape: Shapes.Logarithmic, cases: estimated },
  ]
}
