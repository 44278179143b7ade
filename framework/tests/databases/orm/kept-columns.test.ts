import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { epochMs, shiftClock } from '../../../src/base/time/epoch-seconds.ts'
import { connect } from '../../../src/database/connect.ts'
import type { Database } from '../../../src/database/surface.ts'
import {
  integer,
  key,
  text,
  createdAt,
  updatedAt,
  version,
} from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { StaleRowError } from '../../../src/orm/rows/update-rows.ts'
import { Operators } from '../../../src/database/sql/plan/operators.ts'
import { withLongTimeouts } from '../../support/long-timeouts.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

const Notes = entity('notes', {
  id: key.integer(),
  title: text(),
  views: integer().optional(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  version: version(),
})

const hour = 3_600_000

onEveryDatabase((_, _open, create) => {
  let database: Database
  let elsewhere: Database
  let notes: Repository<typeof Notes>
  before(async () => {
    const url = withLongTimeouts(`${await create()}?`)
    database = await connect(url)
    elsewhere = await connect(url)
    await createTables(database, (schema) =>
      schema.createTable('notes', (table) => {
        table.key('id')
        table.text('title', { length: 80 }).unique()
        table.integer('views').default(0)
        table.timestamp('created_at')
        table.timestamp('updated_at')
        table.integer('version')
      }),
    )
    notes = new Repository(Notes, database)
  })
  after(() => Promise.all([database.close(), elsewhere.close()]))
  beforeEach(() => notes.deleteAll(notes.select()))

  // Rows written now, read an hour later.
  async function anHourLater(work: () => Promise<void>): Promise<void> {
    shiftClock(3600)
    try {
      await work()
    } finally {
      shiftClock(-3600)
    }
  }

  function isRecent(date: Date | undefined, ms: number): void {
    const age = ms - (date?.getTime() ?? 0)
    assert.ok(age >= 0 && age < 60_000, `${date?.toISOString()} is ${age} ms old`)
  }

  test('an insert sets both times and the version, to the millisecond', async () => {
    const row = await notes.insert({ title: 'a' })
    isRecent(row.createdAt, epochMs())
    isRecent(row.updatedAt, epochMs())
    assert.equal(row.version, 1)
    assert.deepEqual(await notes.find(row.id), row)
    const found = notes.select().filter('createdAt', Operators.Equal, row.createdAt)
    assert.equal(await notes.count(found), 1)
    const [b, c] = await notes.insertMany([{ title: 'b' }, { title: 'c' }])
    isRecent(b?.createdAt, epochMs())
    assert.equal(c?.version, 1)
  })

  test('a value of the caller is kept', async () => {
    const old = new Date('2020-01-02T03:04:05.678Z')
    const row = await notes.insert({ title: 'a', createdAt: old, updatedAt: old, version: 7 })
    assert.deepEqual([row.createdAt, row.updatedAt, row.version], [old, old, 7])
    const later = new Date('2021-01-01T00:00:00.000Z')
    const changed = await notes.update(row.id, { views: 1, updatedAt: later })
    assert.deepEqual([changed?.createdAt, changed?.updatedAt, changed?.version], [old, later, 8])
  })

  test('every way to change a row sets updatedAt and counts the version', async () => {
    const { id, createdAt: born } = await notes.insert({ title: 'a' })
    const all = notes.select()
    const ways: readonly (() => Promise<unknown>)[] = [
      () => notes.update(id, { views: 1 }),
      () => notes.updateAll(all, { views: 2 }),
      () => notes.increment(id, { views: 1 }),
      () => notes.incrementAll(all, { views: 1 }),
      () => notes.upsert({ title: 'a', views: 9 }, { by: ['title'] }),
      () => notes.upsertMany([{ title: 'a', views: 9 }], { by: ['title'], update: ['views'] }),
    ]
    for (const [at, way] of ways.entries()) {
      await notes.updateAll(all, { updatedAt: new Date(0) })
      await way()
      const row = await notes.find(id)
      isRecent(row?.updatedAt, epochMs())
      assert.deepEqual(row?.createdAt, born)
      assert.equal(row?.version, 3 + 2 * at, `way ${at}`)
    }
  })

  test('an upsert that leaves the row alone, and an update of nothing, change neither', async () => {
    const row = await notes.insert({ title: 'a' })
    await anHourLater(async () => {
      assert.deepEqual(await notes.upsert({ title: 'a' }, { by: ['title'], update: [] }), row)
      assert.deepEqual(await notes.update(row.id, {}), row)
    })
  })

  test('the times are those of the clock of the framework', async () => {
    await anHourLater(async () => {
      const row = await notes.insert({ title: 'a' })
      assert.ok(row.createdAt.getTime() > Date.now() + hour - 60_000)
      const changed = await notes.update(row.id, { views: 1 })
      isRecent(changed?.updatedAt, epochMs())
    })
  })

  test('an update with a version that is no longer that of the row is refused', async () => {
    const row = await notes.insert({ title: 'a' })
    const one = await notes.update(row.id, { views: 1, version: row.version })
    assert.equal(one?.version, 2)
    await assert.rejects(notes.update(row.id, { views: 5, version: row.version }), (error) => {
      assert.ok(error instanceof StaleRowError)
      assert.deepEqual([error.code, error.expected, error.actual], ['E_STALE_ROW', 1, 2])
      return true
    })
    assert.deepEqual(await notes.find(row.id), one)
    assert.equal(await notes.update(row.id + 1, { views: 5, version: 1 }), null)
  })

  test('of concurrent updates with the same version exactly one wins', async () => {
    const { id } = await notes.insert({ title: 'a' })
    for (let round = 1; round <= 3; round += 1) {
      const calls = Array.from({ length: 8 }, (_call, views) =>
        (views % 2 === 0 ? notes : notes.using(elsewhere)).update(id, { views, version: round }),
      )
      const outcomes = await Promise.allSettled(calls)
      const won = outcomes.filter(({ status }) => status === 'fulfilled')
      assert.equal(won.length, 1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.equal(outcome.reason?.code, 'E_STALE_ROW')
      }
      assert.equal((await notes.find(id))?.version, round + 1)
    }
  })

  test('inside a transaction the version is checked as well', async () => {
    const row = await notes.insert({ title: 'a' })
    await database.transaction(async (transaction) => {
      const inside = notes.using(transaction)
      await inside.update(row.id, { views: 1, version: 1 })
      await assert.rejects(inside.update(row.id, { views: 2, version: 1 }), { code: 'E_STALE_ROW' })
    })
    assert.equal((await notes.find(row.id))?.views, 1)
  })

  test('a version is refused where it cannot be expected, and when it is no number', async () => {
    const refusal = (code: string) => ({ name: 'InvalidArgumentException', code })
    const all = notes.select()
    await assert.rejects(notes.updateAll(all, { version: 1 }), refusal('E_INVALID_ARGUMENT'))
    await assert.rejects(notes.increment(1, { version: 1 }), refusal('E_INVALID_ARGUMENT'))
    // @ts-expect-error no changes
    await assert.rejects(notes.updateAll(all, {}), refusal('E_INVALID_ARGUMENT'))
    // @ts-expect-error a version is a number
    await assert.rejects(notes.update(1, { version: '1' }), refusal('E_COLUMN_VALUE'))
    // @ts-expect-error a version is never null
    await assert.rejects(notes.update(1, { version: null }), refusal('E_COLUMN_VALUE'))
  })
})
