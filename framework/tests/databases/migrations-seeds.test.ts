import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { FrameworkError } from '../../src/base/errors.ts'
import { seed } from '../../src/migrations/seed.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { plantProject } from '../support/plant-project.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const put = (n: number, more = ''): string => `
  import { sql } from 'framework/database'
  export async function seed(database) {
    await database.run(sql\`INSERT INTO seeded (n) VALUES (\${${n}})\`)
    ${more}
  }`

onEveryDatabase((_dialect, open) => {
  test('seeds run in the order of their names, and every time they are asked to', async (t) => {
    const database = await open(t)
    await database.run(sql`CREATE TABLE seeded (n INTEGER NOT NULL)`)
    const root = plantProject(t, { 'seeds/b.ts': put(2), 'seeds/a.js': put(1), 'seeds/x.md': '' })
    assert.deepEqual(await seed(database, join(root, 'seeds')), ['a', 'b'])
    assert.deepEqual(await seed(database, join(root, 'seeds')), ['a', 'b'])
    const rows = await database.rows(sql`SELECT n FROM seeded ORDER BY n`)
    assert.deepEqual(
      rows.map(({ n }) => Number(n)),
      [1, 1, 2, 2],
    )
  })

  test('a seed receives the environment, by default production', async (t) => {
    const database = await open(t)
    await database.run(sql`CREATE TABLE seeded (place VARCHAR(20) NOT NULL)`)
    const root = plantProject(t, {
      'seeds/a.ts': `
        import { sql } from 'framework/database'
        export const seed = (database, { environment }) =>
          database.run(sql\`INSERT INTO seeded (place) VALUES (\${environment})\`)`,
    })
    await seed(database, join(root, 'seeds'))
    await seed(database, join(root, 'seeds'), { environment: 'test' })
    const rows = await database.rows(sql`SELECT place FROM seeded ORDER BY place`)
    assert.deepEqual(
      rows.map(({ place }) => place),
      ['production', 'test'],
    )
  })

  test('a failing seed is named and rolled back, those before it stay', async (t) => {
    const database = await open(t)
    await database.run(sql`CREATE TABLE seeded (n INTEGER NOT NULL)`)
    const failing = put(2, `throw new Error('the oven is cold')`)
    const root = plantProject(t, {
      'seeds/a.ts': put(1),
      'seeds/b.ts': failing,
      'seeds/c.ts': put(3),
    })
    await assert.rejects(seed(database, join(root, 'seeds')), (error) => {
      assert.ok(error instanceof FrameworkError)
      assert.equal(error.code, 'E_SEED')
      assert.match(
        error.message,
        /^seed b failed: the oven is cold; it was rolled back, so fix it and run /,
      )
      return true
    })
    const rows = await database.rows(sql`SELECT n FROM seeded`)
    assert.deepEqual(
      rows.map(({ n }) => Number(n)),
      [1],
    )
  })

  test('a seed that swallows a failed statement fails if the database aborted its transaction', async (t) => {
    const database = await open(t)
    await database.run(sql`CREATE TABLE seeded (n INTEGER NOT NULL)`)
    const swallowing = put(
      1,
      'await database.run(sql`INSERT INTO missing (n) VALUES (1)`).catch(() => {})',
    )
    const root = plantProject(t, { 'seeds/a.ts': swallowing })
    const outcome = await seed(database, join(root, 'seeds')).then(
      () => 1,
      () => 0,
    )
    const rows = await database.rows(sql`SELECT n FROM seeded`)
    assert.equal(rows.length, outcome)
  })

  test('concurrent seeds run one after the other', async (t) => {
    const database = await open(t)
    await database.run(sql`CREATE TABLE seeded (n INTEGER NOT NULL)`)
    const careful = `
      import { sql } from 'framework/database'
      export async function seed(database) {
        if ((await database.rows(sql\`SELECT n FROM seeded\`)).length > 0) return
        await new Promise((resolve) => setTimeout(resolve, 50))
        await database.run(sql\`INSERT INTO seeded (n) VALUES (1)\`)
      }`
    const folder = join(plantProject(t, { 'seeds/a.ts': careful }), 'seeds')
    await Promise.all(Array.from({ length: 4 }, () => seed(database, folder)))
    assert.equal((await database.rows(sql`SELECT n FROM seeded`)).length, 1)
  })

  test('a missing folder and a module that is not a seed are rejected', async (t) => {
    const database = await open(t)
    const root = plantProject(t, { 'seeds/a.ts': 'export const seeds = 1' })
    await assert.rejects(seed(database, join(root, 'nowhere')), /there is no folder/)
    await assert.rejects(seed(database, join(root, 'seeds')), /a\.ts must export a function seed/)
  })
})
