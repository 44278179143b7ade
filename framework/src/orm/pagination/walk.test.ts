import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RecordingSurface } from '../../../tests/support/recording-surface.ts'
import { connect } from '../../database/connect.ts'
import { Operators, Orders } from '../../database/sql/plan/operators.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { key, text } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { Selection } from '../selection.ts'
import { walkOver } from './walk.ts'

const People = entity('people', { id: key.integer(), name: text(), nick: text().nullable() })

async function people(t: TestContext, rows: number): Promise<RecordingSurface> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.run(
    sql`create table people (id integer primary key, name text not null, nick text)`,
  )
  for (let id = 1; id <= rows; id += 1) {
    await database.run(sql`insert into people values (${id}, ${`name ${id % 3}`}, null)`)
  }
  return new RecordingSurface(database, { kind: 'async' })
}

async function idsOf(walk: AsyncIterable<{ readonly id: number }>): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of walk) ids.push(id)
  return ids
}

test('a walk returns every row once, in order, whatever the page size', async (t) => {
  const surface = await people(t, 10)
  const selection = new Selection(People).order(Orders.Desc, 'name')
  const expected = [8, 5, 2, 10, 7, 4, 1, 9, 6, 3]
  for (const size of [1, 3, 5, 10, 11, 1000]) {
    const ids = await idsOf(walkOver(People, surface, selection, { size }))
    assert.deepEqual(ids, expected, `size ${size}`)
  }
  const ids = await idsOf(walkOver(People, surface, selection))
  assert.deepEqual(ids, expected)
})

test('a walk sends nothing before its first row, and nothing after the loop is left', async (t) => {
  const surface = await people(t, 10)
  const walk = walkOver(People, surface, null, { size: 2 })
  assert.equal(surface.flushes.length, 0)
  const seen: number[] = []
  for await (const { id } of walk) {
    seen.push(id)
    if (id === 3) break
  }
  assert.deepEqual(seen, [1, 2, 3])
  assert.equal(surface.flushes.length, 2)
  assert.deepEqual(await walk.next(), { done: true, value: undefined })
  assert.equal(surface.flushes.length, 2)
})

test('a walk over no rows ends immediately', async (t) => {
  const surface = await people(t, 0)
  assert.deepEqual(await idsOf(walkOver(People, surface)), [])
  assert.equal(surface.flushes.length, 1)
})

test('a walk uses its selection and scope as they were when it started', async (t) => {
  const surface = await people(t, 6)
  const selection = new Selection(People)
  let scoped = 0
  const walk = walkOver(People, surface, selection, {
    size: 1,
    scope: (narrowed) => {
      scoped += 1
      return narrowed.filter('id', Operators.Greater, 2)
    },
  })
  selection.filter('id', Operators.Less, 4)
  assert.deepEqual(await idsOf(walk), [3, 4, 5, 6])
  assert.equal(scoped, 1)
})

test('an impossible walk is rejected immediately and sends nothing', async (t) => {
  const surface = await people(t, 1)
  const unwalkable = new Selection(People).order(Orders.Asc, 'nick')
  assert.throws(() => walkOver(People, surface, unwalkable), { code: 'E_CURSOR_ORDER' })
  assert.throws(() => walkOver(People, surface, new Selection(People).limit(1)), {
    code: 'E_PAGINATION',
  })
  for (const size of [0, -1, 1.5, Number.NaN]) {
    assert.throws(() => walkOver(People, surface, null, { size }), { code: 'E_PAGINATION' })
  }
  assert.equal(surface.flushes.length, 0)
})

test('rows deleted and inserted during a walk affect no other row', async (t) => {
  const surface = await people(t, 6)
  const seen: number[] = []
  for await (const { id } of walkOver(People, surface, null, { size: 2 })) {
    seen.push(id)
    if (id === 2) await surface.run(sql`delete from people where id in (1, 2, 3)`)
    if (id === 4) await surface.run(sql`insert into people values (0, 'x', null), (7, 'x', null)`)
  }
  assert.deepEqual(seen, [1, 2, 4, 5, 6, 7])
})
