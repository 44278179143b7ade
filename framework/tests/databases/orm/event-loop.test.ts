import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { before, test } from 'node:test'
import type { Database } from '../../../src/database/surface.ts'
import { integer, key, text } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { onDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

// The long version: WALK_TEST_ROWS=200000
const count = Number(process.env['WALK_TEST_ROWS'] ?? 20_000)

const Events = entity('events', { id: key.integer(), name: text(), size: integer() })

/** How many turns the event loop had during some work, and the CPU time of this thread. */
async function turnsOf(work: () => Promise<void>): Promise<{ turns: number; totalMs: number }> {
  const start = cpuMs()
  let turns = 0
  const state = { isOver: false }
  const counting = (async () => {
    while (!state.isOver) {
      await setImmediate()
      turns += 1
    }
  })()
  await work()
  state.isOver = true
  await counting
  return { turns, totalMs: cpuMs() - start }
}

// Unlike time, it does not pass while other processes have the processor.
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function busyFor(ms: number): void {
  const end = performance.now() + ms
  let now = performance.now()
  while (now < end) now = performance.now()
}

onDatabase('sqlite', (_, open) => {
  let database: Database
  let events: Repository<typeof Events>
  before(async () => {
    database = await open()
    await createTables(database, (schema) =>
      schema.createTable('events', (table) => {
        table.key('id')
        table.text('name')
        table.integer('size')
      }),
    )
    events = new Repository(Events, database)
    const rows = Array.from({ length: count }, (_row, at) => ({ name: `event ${at}`, size: at }))
    const { turns, totalMs } = await turnsOf(async () => {
      await events.insertMany(rows)
    })
    assert.ok(totalMs / turns < 20, `insertMany took ${totalMs} ms in ${turns} turns`)
  })

  test('a walk gives the event loop its turn, whatever the page size', async () => {
    for (const size of [100, count]) {
      let walked = 0
      const { turns, totalMs } = await turnsOf(async () => {
        for await (const { size: value } of events.walk(null, { size }))
          walked += value >= 0 ? 1 : 0
      })
      assert.equal(walked, count)
      assert.ok(totalMs / turns < 12, `pages of ${size}: ${totalMs} ms in ${turns} turns`)
    }
  })

  test('a loop that never waits gives the event loop its turn within a page', async () => {
    let seen = 0
    const { turns } = await turnsOf(async () => {
      for await (const _row of events.walk(null, { size: 100 })) {
        busyFor(6)
        if ((seen += 1) === 20) break
      }
    })
    assert.ok(turns >= 19, `${turns} turns for ${seen} slow rows`)
  })
})
