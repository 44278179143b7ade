import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Database } from '../../src/database/surface.ts'
import { completeOrder } from '../../src/orm/pagination/complete-order.ts'
import { compileSelect } from '../../src/database/sql/write/compile-select.ts'
import { dialects } from '../support/dialects.ts'
import { keysetBinding, keysetValue } from '../../src/database/sql/values/keyset.ts'
import { Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import type { Ordering, SelectPlan } from '../../src/database/sql/plan/select-plan.ts'
import { by, compare, planOf, Posts } from '../support/sample-plans.ts'
import { command, createTable, insertRows, rawRows } from '../support/sample-tables.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { mariadbWork, postgresWork, sqliteWork } from './query-work.ts'
import type { QueryWork } from './query-work.ts'

const { Asc, Desc } = Orders
const rows = 20_000
const limit = 11

interface Walk {
  readonly title: string
  readonly index: string
  readonly orderings: readonly Ordering[]
  readonly conditions?: SelectPlan['conditions']
}

const walks: readonly Walk[] = [
  { title: 'by key', index: 'key', orderings: [by('id', Asc)] },
  { title: 'forth', index: 'created', orderings: [by('createdAt', Asc), by('id', Asc)] },
  { title: 'back', index: 'created', orderings: [by('createdAt', Desc), by('id', Desc)] },
  {
    title: 'newest first, whose key a page appends',
    index: 'created',
    orderings: completeOrder([by('createdAt', Desc)], Posts),
  },
  { title: 'forth over many ties', index: 'viewed', orderings: [by('views', Asc), by('id', Asc)] },
  { title: 'back over many ties', index: 'viewed', orderings: [by('views', Desc), by('id', Desc)] },
  { title: 'in mixed directions', index: 'titled', orderings: [by('title', Desc), by('id', Asc)] },
  {
    title: 'in mixed directions back',
    index: 'titled',
    orderings: [by('title', Asc), by('id', Desc)],
  },
  {
    title: 'in three mixed directions over many ties',
    index: 'opened',
    orderings: [by('isOpen', Asc), by('createdAt', Desc), by('id', Asc)],
  },
  {
    title: 'within a filter, in mixed directions',
    index: 'opened',
    orderings: [by('createdAt', Desc), by('id', Asc)],
    conditions: [compare('isOpen', Operators.IsTrue)],
  },
]

const indexes = [
  'CREATE INDEX created ON posts (created_at, id)',
  'CREATE INDEX viewed ON posts (views, id)',
  'CREATE INDEX titled ON posts (title DESC, id ASC)',
  'CREATE INDEX opened ON posts (is_open ASC, created_at DESC, id ASC)',
]

onEveryDatabase((name, open) => {
  const dialect = dialects[name]
  const keys = { sqlite: 'rowid', postgres: 'posts_pkey', mariadb: 'PRIMARY' }
  let database: Database
  let file = ''
  before(async () => {
    database = await open()
    file = database.label.replace('sqlite:', '')
    await createTable(database, Posts)
    const columns = ['title', 'views', 'isOpen', 'createdAt']
    await insertRows(
      database,
      Posts,
      columns,
      Array.from({ length: rows }, (_, at) => post(at)),
    )
    for (const statement of indexes) await command(database, statement)
    await command(database, name === 'mariadb' ? 'ANALYZE TABLE posts' : 'ANALYZE posts')
  })

  for (const { title, index, orderings, conditions = [] } of walks) {
    const expected = index === 'key' ? keys[name] : index
    const others = new Set([expected, 'created', 'viewed', 'titled', 'opened'])

    describe(`a walk ${title}`, () => {
      const first = planOf(Posts, { orderings, conditions, limit })

      test('reads its first page from the index, in order', async () => {
        for (const work of await works(first)) {
          assert.deepEqual(work.reads, [expected])
          assert.equal(work.sorts, false)
          assert.ok(work.visited <= limit + 1, `${work.visited} rows were visited`)
        }
      })

      for (const offset of [1, rows / 4, rows / 3, rows / 2 - 20]) {
        test(`reads the page after row ${Math.floor(offset)} with no more work`, async () => {
          const seek = { orderings, values: await position(first, Math.floor(offset)) }
          for (const work of await works({ ...first, seek })) {
            assert.ok(work.reads.includes(expected), `${expected} was not read`)
            assert.ok(work.reads.length <= orderings.length, 'one search a branch')
            // The few rows that are equal to the position may be found by any index.
            assert.ok(
              work.reads.every((read) => others.has(read)),
              `${work.reads.join()} were read`,
            )
            assert.equal(work.sorts, false)
            const most = (limit + 1) * work.reads.length
            assert.ok(work.visited <= most, `${work.visited} rows were visited`)
          }
        })
      }
    })
  }

  async function works(plan: SelectPlan): Promise<QueryWork[]> {
    if (name === 'sqlite') return [sqliteWork(file, plan)]
    if (name === 'mariadb') return [await mariadbWork(database, plan)]
    return [await postgresWork(database, plan, false), await postgresWork(database, plan, true)]
  }

  async function position(plan: SelectPlan, offset: number): Promise<unknown[]> {
    const columns = plan.orderings.map(({ column }) => column)
    const query = compileSelect({ ...plan, columns, limit: 1, offset }, dialect)
    const [row = []] = await rawRows(database, query)
    return columns.map((column, at) => {
      return keysetBinding(column, keysetValue(column, row[at], dialect), dialect)
    })
  }
})

// Each title is had by 100 rows, each number of views by 1000, and each moment by two.
function post(at: number): unknown[] {
  const mixed = (at * 7919) % rows
  const title = `title ${String(mixed % 200).padStart(3, '0')}`
  return [title, mixed % 20, mixed % 2 === 0, new Date(Date.UTC(2026, 0, 1) + (mixed >> 1) * 1000)]
}
