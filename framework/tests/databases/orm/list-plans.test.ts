import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integer, key, text } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { Logs } from '../../../src/logs/logs.ts'
import { contains, equal } from '../../../src/http/lists/list-filter.ts'
import { list } from '../../../src/http/lists/list.ts'
import { ListPlanLog } from '../../../src/http/lists/list-plan-log.ts'
import { Server } from '../../../src/http/server/server.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

const Goods = entity('goods', {
  id: key.integer(),
  name: text(),
  kind: text(),
  price: integer(),
})
const GoodsList = list(Goods, {
  filter: { kind: equal(), q: contains('name') },
  sort: ['name', 'price'],
})

onEveryDatabase((_, open) => {
  test('a list that reads the whole table is told once, with the index that would help', async (t) => {
    const database = await open(t)
    await createTables(database, (schema) =>
      schema.createTable('goods', (table) => {
        table.key()
        table.text('name', { length: 40 })
        table.text('kind', { length: 40 })
        table.integer('price')
        table.index(['name', 'id'])
      }),
    )
    const goods = new Repository(Goods, database)
    await goods.insertMany(
      Array.from({ length: 200 }, (__, at) => ({
        name: `n${at}`,
        kind: `k${at % 40}`,
        price: at,
      })),
    )
    const lines: { readonly message: string; readonly context: { readonly fix: string } }[] = []
    const sink = {
      dropped: 0,
      write: (line: string) => void lines.push(JSON.parse(line)),
      flush: () => Promise.resolve(),
      flushSync: () => {},
      close: () => Promise.resolve(),
    }
    const log = new ListPlanLog({ logs: new Logs({ sinks: [sink] }) })
    t.after(() => log.close())
    const server = new Server({ environment: 'production' })
    server.router.get(
      '/goods',
      ({ input }, response) => response.database.list(goods, input.query),
      { query: GoodsList },
    )
    const asked = [
      '',
      'q=n1',
      'sort=price',
      'sort=price&page=2',
      'sort=price&cursor=',
      'kind=k1&sort=-price',
    ]
    for (const query of asked) {
      assert.equal((await server.inject({ url: `/goods?${query}` })).status, 200)
    }
    // The plans come after the responses, each when its database answers.
    await log.settled()
    const told = lines.map(({ message, context }) => `${message}: ${context.fix}`)
    const tells = 'a list of goods reads the whole table; an index on'
    assert.deepEqual(told.toSorted(), [
      `${tells} (kind, price, id) would help: table.index(['kind', 'price', 'id'])`,
      `${tells} (price, id) would help: table.index(['price', 'id'])`,
    ])
  })
})
