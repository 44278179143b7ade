import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Schema } from '../../../src/migrations/schema.ts'
import { enumeration, key, safeInteger } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'

onEveryDatabase((_name, open) => {
  test('a migration changes the members of an enumeration', async (t) => {
    const database = await open(t)
    await database.transaction(async (transaction) => {
      const schema = new Schema(transaction)
      await schema.createTable('posts', (table) => {
        table.key('id')
        table.enumeration('state', ['draft', 'live']).default('draft')
        table.integer('views').default(0)
      })
      await schema.run(sql`INSERT INTO posts (state) VALUES ('live')`)
      await schema.changeColumn('posts', (table) =>
        table.enumeration('state', ['draft', 'live', 'withdrawn']).default('draft'),
      )
      await schema.changeColumn('posts', (table) => table.safeInteger('views').default(0))
    })
    const Posts = entity('posts', {
      id: key.integer(),
      state: enumeration(['draft', 'live', 'withdrawn']).optional(),
      views: safeInteger().optional(),
    })
    const posts = new Repository(Posts, database)
    const row = { id: 1, state: 'withdrawn', views: 3e9 } as const
    assert.deepEqual(await posts.update(1, { state: 'withdrawn', views: 3e9 }), row)
    assert.deepEqual((await posts.insert({})).state, 'draft')
    await assert.rejects(database.run(sql`UPDATE posts SET state = 'gone'`))
    await assert.rejects(posts.increment(1, { views: Number.MAX_SAFE_INTEGER }), {
      code: 'E_INTEGER_RANGE',
    })
  })
})
