import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, seed } from 'framework/database'
import { Repository } from 'framework/orm'
import { Items } from '../entities/items.ts'
import { emptyDatabase, preparedDatabase, serveDemo } from './serve-demo.ts'

test('in development the first start creates and seeds the tables', async (t) => {
  const env = { DATABASE_URL: emptyDatabase(t) }
  const first = await serveDemo({ environment: 'development', env })
  assert.equal((await first.inject({ url: '/items' })).headers['x-total-count'], '200')
  await first.close()
})

test('a second start leaves the rows alone', async (t) => {
  const env = { DATABASE_URL: await preparedDatabase(t) }
  const app = await serveDemo({ environment: 'development', env })
  t.after(() => app.close())
  assert.equal((await app.inject({ url: '/items' })).headers['x-total-count'], '200')
})

test('running the seeds again adds nothing', async (t) => {
  const database = await connect(await preparedDatabase(t))
  t.after(() => database.close())
  await seed(database, join(import.meta.dirname, '..', 'seeds'))
  assert.equal(await new Repository(Items, database).count(), 200)
})

test('in production pending migrations stop the start with a message that says what to run', async (t) => {
  const env = { DATABASE_URL: emptyDatabase(t) }
  await assert.rejects(serveDemo({ environment: 'production', env }), {
    code: 'E_MIGRATION',
    message: /database\.sqlite has \d+ pending migrations; run `npx framework migrate` first$/,
  })
})

test('in production a database with its tables is served', async (t) => {
  const env = { DATABASE_URL: await preparedDatabase(t) }
  const app = await serveDemo({ environment: 'production', env })
  t.after(() => app.close())
  assert.equal((await app.inject({ url: '/items' })).status, 200)
})
