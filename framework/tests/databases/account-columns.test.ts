import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import * as v from 'valibot'
import { accounts } from '../../src/accounts/module/accounts-module.ts'
import type { StandardSchema } from '../../src/base/schema/standard-schema.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { Database } from '../../src/database/surface.ts'
import { migrate, Migrator } from '../../src/migrations/migrator.ts'
import type { Boot } from '../../src/project/boot.ts'
import { openStores, storeScopes } from '../../src/project/open-stores.ts'
import { defineProject } from '../../src/project/project.ts'
import { projectServer } from '../../src/testing/project-server.ts'
import { plantProject } from '../support/plant-project.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const password = 'quiet copper lamp'
const chosen = { password, password_confirmation: password }
const layout = `<!doctype html><title><%= it.title %></title><main><%~ it.body %></main>`

const name = v.pipe(v.string(), v.minLength(2, 'Please enter your name.'))
const First = v.object({ fullName: name })
const Second = v.object({
  fullName: name,
  seats: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(9, 'At most 9 seats.'))),
  plan: v.optional(v.picklist(['free', 'team']), 'free'),
  newsletter: v.boolean(),
})

/** A project whose accounts have these columns, on a database of its own or this one. */
async function serve<Fields extends object>(
  t: TestContext,
  url: string,
  fields: StandardSchema<unknown, Fields>,
) {
  const root = plantProject(t, { 'views/layouts/main.template.html': layout })
  const clinic = accounts({ registration: { fields } })
  const configs = { ...storeScopes, ...clinic.configs }
  const services = async (boot: Boot<typeof configs>) => {
    const stores = await openStores(boot)
    const site = { title: 'Clinic' }
    return { ...stores, site, accounts: await clinic.open(boot, { ...stores, site }) }
  }
  const project = defineProject({ name: 'clinic', configs, services, accounts: clinic, routes: [] })
  const env = { APP_KEY: randomBytes(32).toString('hex'), DATABASE_URL: url }
  const app = await projectServer(project, { root, env, visitors: { tokenPage: '/login' } })
  t.after(() => app.close())
  return app
}

/** The migrations of accounts with these columns. */
async function migratorOf(
  database: Database,
  t: TestContext,
  fields: StandardSchema<unknown, object>,
): Promise<Migrator> {
  const folder = join(plantProject(t, {}), 'migrations')
  const builtIn = await accounts({ registration: { fields } }).migrations()
  return new Migrator(database, folder, { builtIn })
}

async function stepNames(steps: Promise<readonly { readonly name: string }[]>): Promise<string[]> {
  return (await steps).map((step) => step.name)
}

/** As text: some databases have big integers. */
function seatsOf({ seats }: Readonly<Record<string, unknown>>): string {
  return String(seats)
}

async function columnsOf(database: Database): Promise<readonly string[]> {
  const users = await database.dialect.schema.catalog.readTable(database, 'users')
  return users?.columns.map((column) => column.name) ?? []
}

onEveryDatabase((_dialect, open, create) => {
  test('each column is one migration: one that is added later adds nothing else', async (t) => {
    const database = await open(t)
    const first = await migratorOf(database, t, First)
    const made = await stepNames(first.up())
    assert.equal(made.at(-1), '20260101000100_add_users_fullName')
    assert.deepEqual(await first.pending(), [])
    await database.run(
      sql`INSERT INTO users (email, ${sql.name('fullName')}) VALUES ('ada@example.org', 'Ada')`,
    )
    const second = await migratorOf(database, t, Second)
    const added = [
      '20260101000100_add_users_newsletter',
      '20260101000100_add_users_plan',
      '20260101000100_add_users_seats',
    ]
    assert.deepEqual(await second.pending(), added)
    assert.deepEqual(await stepNames(second.up()), added)
    const [row = {}] = await database.rows(sql`SELECT * FROM users`)
    assert.deepEqual(
      [row['fullName'], row['seats'], row['plan'], Number(row['newsletter'])],
      ['Ada', null, 'free', 0],
    )
  })

  test('a field that is taken out leaves its column and rows, and nothing to migrate', async (t) => {
    const database = await open(t)
    await (await migratorOf(database, t, Second)).up()
    await database.run(sql`INSERT INTO users (email, seats) VALUES ('ada@example.org', 4)`)
    const first = await migratorOf(database, t, First)
    assert.deepEqual([...new Set((await first.status()).map(({ state }) => state))], ['applied'])
    assert.deepEqual(await first.up(), [])
    assert.ok((await columnsOf(database)).includes('seats'))
    await database.run(
      sql`INSERT INTO users (email, ${sql.name('fullName')}) VALUES ('bob@example.org', 'Bob')`,
    )
    await assert.rejects(
      first.down(),
      /20260101000100_add_users_seats came with an option of the project that is gone; restore/,
    )
    // Nobody loses what they have entered by a rollback either.
    const second = await migratorOf(database, t, Second)
    assert.equal((await second.down({ steps: 4 })).length, 4)
    assert.ok((await columnsOf(database)).includes('seats'))
    assert.equal((await second.up()).length, 4)
    const rows = await database.rows(sql`SELECT seats FROM users ORDER BY email`)
    assert.deepEqual(rows.map(seatsOf), ['4', 'null'])
  })

  test('a column that a migration of the project has made is taken as it is', async (t) => {
    const database = await open(t)
    const none = await accounts({}).migrations()
    await migrate(database, join(plantProject(t, {}), 'migrations'), { builtIn: none })
    const own = plantProject(t, {
      'migrations/20260201000000_add_name.ts': `export const up = (schema) =>
        schema.addColumn('users', (table) => table.text('fullName', { length: 9 }).default('?'))`,
    })
    const builtIn = await accounts({ registration: { fields: First } }).migrations()
    await migrate(database, join(own, 'migrations'), { builtIn: none })
    await migrate(database, join(own, 'migrations'), { builtIn })
    const users = await database.dialect.schema.catalog.readTable(database, 'users')
    const column = users?.columns.find((one) => one.name === 'fullName')
    assert.deepEqual([column?.limit.length, column?.isNullable], [9, false])
  })

  test('the form asks for the columns, says at the field what is wrong, and the row has them', async (t) => {
    const url = await create()
    const app = await serve(t, url, Second)
    const { users } = app.services.accounts
    const form = await app.visitor().open('/register')
    assert.match(form.page, /<input id="fullName" name="fullName" type="text"[^>]* required/)
    assert.match(form.page, /<label for="fullName">Full name<\/label>/)
    assert.match(form.page, /<input id="seats" name="seats" type="number"(?![^>]* required)/)
    assert.match(form.page, /<select id="plan" name="plan"(?![^>]* required)/)
    assert.match(form.page, /type="checkbox" name="newsletter" value="1"(?![^>]* required)/)
    const email = 'ada@example.org'
    const visitor = app.visitor()
    const wrong = { email, ...chosen, fullName: 'A', seats: '10' }
    const refused = await visitor.submit('/register', wrong)
    assert.deepEqual([refused.status, refused.to], [303, '/register'])
    assert.deepEqual(refused.errors, {
      fullName: 'Please enter your name.',
      seats: 'At most 9 seats.',
    })
    assert.match(refused.page, /value="A"/)
    const json = await app.visitor().send('/register', { ...wrong, seats: 'many' })
    assert.equal(json.status, 422)
    assert.deepEqual(Object.keys(Object(json.json())['errors']), ['fullName', 'seats'])
    assert.equal(await users.fetch(email), null)
    const full = { email, ...chosen, fullName: 'Ada', seats: '3', plan: 'team', newsletter: '1' }
    assert.equal((await visitor.submit('/register', full)).to, '/account')
    const { id: _id, verified: _verified, ...ada } = (await users.fetch(email)) ?? {}
    const place = { language: 'en', timezone: null }
    const values = { fullName: 'Ada', seats: 3, plan: 'team', newsletter: true }
    assert.deepEqual(ada, { email, ...values, ...place })
    // What may be left out is left out; a default of the schema takes its place.
    const bob = { email: 'bob@example.org', ...chosen, fullName: 'Bob', seats: '', plan: '' }
    assert.equal((await app.visitor().submit('/register', bob)).to, '/account')
    const { seats, plan, newsletter } = (await users.fetch(bob.email)) ?? {}
    assert.deepEqual([seats, plan, newsletter], [null, 'free', false])
    const database = await connect(url)
    t.after(() => database.close())
    const rows = await database.rows(sql`SELECT seats FROM users ORDER BY email`)
    assert.deepEqual(rows.map(seatsOf), ['3', 'null'])
  })
})
