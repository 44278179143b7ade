import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Server } from '../../src/http/server/server.ts'
import { atLeast, atMost, equal, range } from '../../src/http/lists/list-filter.ts'
import { list } from '../../src/http/lists/list.ts'
import { exactTimestamp, key, timestamp } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Repository } from '../../src/orm/repository.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { createTables } from './orm/create-tables.ts'

const Visits = entity('visits', { id: key.integer(), at: timestamp(), exact: exactTimestamp() })
const VisitList = list(Visits, {
  filter: {
    day: equal('at'),
    at: range(),
    exact: range(),
    from: atLeast('at'),
    until: atMost('at'),
  },
})

// The last moment before a day, its first, its last and the first after it, one id each.
const around = (start: string, end: string): readonly Date[] =>
  [start, end].flatMap((text) => [new Date(Date.parse(text) - 1), new Date(text)])
const days = {
  'Europe/Berlin 2026-03-29': around('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'),
  'Europe/Berlin 2026-10-25': around('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'),
  'America/Santiago 2026-09-06': around('2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z'),
  'Asia/Kolkata 2026-01-31': around('2026-01-30T18:30:00Z', '2026-01-31T18:30:00Z'),
  'UTC 2026-03-29': around('2026-03-29T00:00:00Z', '2026-03-30T00:00:00Z'),
}

onEveryDatabase((name, open) => {
  test(`${name}: a filter by a day means that day in the zone of the account`, async (t) => {
    const database = await open(t)
    await createTables(database, (schema) =>
      schema.createTable('visits', (table) => {
        table.key()
        table.timestamp('at')
        table.timestamp('exact')
      }),
    )
    const visits = new Repository(Visits, database)
    const server = new Server({ environment: 'production' })
    t.after(() => server.close())
    const zone = { of: '' }
    server.router.get(
      '/visits',
      (request, response) => {
        // As a handler that looks itself who is signed in.
        request.identity = { id: '1', timezone: zone.of }
        assert.equal(request.input.query.timeZone, zone.of)
        return response.database.list(visits, request.input.query)
      },
      { query: VisitList },
    )
    for (const [place, moments] of Object.entries(days)) {
      const [timeZone = '', date = ''] = place.split(' ')
      zone.of = timeZone
      await visits.deleteAll(visits.select())
      await visits.insertMany(
        moments.map((at, id) => ({ id: id + 1, at, exact: at.toISOString().slice(0, -1) })),
      )
      const find = async (query: string): Promise<string> => {
        const { items } = Object((await server.inject({ url: `/visits?${query}` })).json())
        return items.map(({ id }: { id: number }) => id).join()
      }
      assert.equal(await find(`day=${date}`), '2,3', place)
      assert.equal(await find(`at_min=${date}&at_max=${date}`), '2,3', place)
      assert.equal(await find(`exact_min=${date}&exact_max=${date}`), '2,3', place)
      assert.equal(await find(`from=${date}`), '2,3,4', place)
      assert.equal(await find(`until=${date}`), '1,2,3', place)
    }
  })
})
