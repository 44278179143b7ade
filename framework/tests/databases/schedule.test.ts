import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createScheduleTable, SqlSchedule } from '../../src/schedule/sql-schedule.ts'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { ScheduleBench } from '../support/schedule-bench.ts'
import { scheduleStoreContract } from '../support/schedule-store-contract.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { task } from '../../src/schedule/task.ts'

function withTable(database: Database): Promise<void> {
  return database.transaction((transaction) => createScheduleTable(new Schema(transaction)))
}

onEveryDatabase((_name, open, create) => {
  scheduleStoreContract(async (t) => {
    const database = await open(t)
    await withTable(database)
    return new SqlSchedule(database)
  })

  test('of eight that register and claim at once, each due time has one winner', async (t) => {
    const url = await create()
    const databases: Database[] = []
    for (let at = 0; at < 8; at += 1) {
      const database = await connect(`${url}?pool=1`)
      t.after(() => database.close())
      if (at === 0) await withTable(database)
      databases.push(database)
    }
    const stores = databases.map((database) => new SqlSchedule(database))
    const [first = assert.fail('there is no store')] = stores
    const entry = { task: 'each', expression: 'every 1 s' }
    await Promise.all(stores.map((store) => store.register([entry], 1_000_000)))
    assert.equal((await first.list()).length, 1)
    for (let round = 1; round <= 20; round += 1) {
      const dueMs = 1_000_000 + round * 1_000
      const won = await Promise.all(
        stores.map(async (store, at) => {
          const seen = await store.find('each')
          if (seen === null || seen.dueMs >= dueMs) return false
          const lease = { token: `${at}`, untilMs: dueMs }
          return store.claim(seen, { dueMs, runDueMs: dueMs, missed: 0, nowMs: dueMs, lease })
        }),
      )
      assert.equal(won.filter(Boolean).length, 1, `round ${round}`)
    }
  })

  test('a runner works on it: a due time runs once, and its end is stored', async (t) => {
    const database = await open(t)
    await withTable(database)
    const bench = new ScheduleBench('2026-01-01T10:00:30Z', { store: new SqlSchedule(database) })
    const ran: string[] = []
    const runner = bench.runner([
      task('hourly', { cron: '0 * * * *' }).run<null>(
        ({ due }) => void ran.push(due.toISOString()),
      ),
    ])
    await runner.register()
    await bench.at('2026-01-01T11:00:00Z', runner)
    await bench.at('2026-01-01T11:00:01Z', runner)
    assert.deepEqual(ran, ['2026-01-01T11:00:00.000Z'])
    const state = await bench.store.find('hourly')
    assert.deepEqual([state?.outcome, state?.runs, state?.lease], ['done', 1, null])
  })
})
