import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Schema } from '../../src/migrations/schema.ts'
import { date, key } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const Bills = entity('bills', { id: key.integer(), due: date(), paid: date().nullable() })

onEveryDatabase((name, open) => {
  test(`${name}: days are texts that are stored, compared and walked as they are`, async (t) => {
    const database = await open(t)
    await database.transaction((transaction) =>
      new Schema(transaction).createTable('bills', (table) => {
        table.key('id')
        table.date('due')
        table.date('paid').nullable()
        table.index(['due', 'id'])
      }),
    )
    const bills = new Repository(Bills, database)
    const days = ['2026-11-05', '2024-02-29', '2026-11-05', '1999-12-31', '2026-10-31']
    await bills.insertMany(days.map((due) => ({ due, paid: due === days[0] ? due : null })))
    const november = bills
      .select()
      .filter('due', Operators.GreaterOrEqual, '2026-11-01')
      .filter('paid', Operators.Equal, '2026-11-05')
    assert.deepEqual(await bills.all(november), [
      { id: 1, due: '2026-11-05', paid: '2026-11-05' },
      { id: 3, due: '2026-11-05', paid: '2026-11-05' },
    ])
    const walked: string[] = []
    const newest = bills.select().order(Orders.Desc, 'due')
    for await (const { due } of bills.walk(newest, { size: 2 })) walked.push(due)
    assert.deepEqual(walked, days.toSorted().toReversed())
    await assert.rejects(bills.insert({ due: '2026-02-30' }), {
      code: 'E_COLUMN_VALUE',
      message: "due takes a day as a text such as '2026-01-31', got a text in another format",
    })
  })
})
