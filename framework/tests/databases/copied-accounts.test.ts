import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { totpCode } from '../../src/accounts/factors/factor-testing.ts'
import { accounts } from '../../src/accounts/module/accounts-module.ts'
import { Password } from '../../src/accounts/passwords/password.ts'
import { epochSeconds } from '../../src/base/time/epoch-seconds.ts'
import { connect } from '../../src/database/connect.ts'
import type { CatalogTable } from '../../src/database/sql/dialects/catalog/catalog-dialect.ts'
import type { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { Statement } from '../../src/database/sql/plan/statement.ts'
import type { Database } from '../../src/database/surface.ts'
import { Ledger } from '../../src/migrations/ledger.ts'
import { migrate, Migrator } from '../../src/migrations/migrator.ts'
import { demoMigrations, serveDemo } from '../support/demo-tests.ts'
import type { DemoServer } from '../support/demo-tests.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { plantMigrations, table } from './plant-migrations.ts'

// Until version 0.1 projects had copies of the code of accounts and of their migrations. The folder holds what these
// migrations made on each database, and rows that such a project wrote while people used it over HTTP.
const folder = join(import.meta.dirname, 'copied-accounts')
const demoFolder = join(import.meta.dirname, '..', '..', '..', 'demo', 'migrations')

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** What people had in their browsers, programs and mailboxes. */
interface Kept {
  /** When the rows were written, epoch seconds. */
  readonly at: number
  readonly key: string
  readonly password: string
  /** The cookies of browsers, as they are sent. */
  readonly session: string
  readonly device: string
  readonly changing: string
  readonly secondFactorSession: string
  readonly apiToken: string
  readonly totpSecret: string
  readonly recoveryCode: string
  /** Paths of links that nobody has opened yet. */
  readonly reset: string
  readonly emailChange: string
  readonly rows: Rows
}

const kept: Kept = JSON.parse(readFileSync(join(folder, 'people.json'), 'utf8'))

/** What came after accounts were copied. */
const columns = ['20260101000024_add_language_column', '20260101000025_add_timezone_column']

/** The statements of the copied migrations, by the names of their files. */
function copiedMigrations(dialect: Dialects): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(folder, `${dialect}.sql`), 'utf8')
  const parts = text.split(/^-- /m).slice(1)
  return new Map(
    parts.map((part) => {
      const [name = '', ...lines] = part.split('\n')
      return [name, lines.join('\n').split(/;$/m).map(trimmed).filter(Boolean)]
    }),
  )
}

const trimmed = (line: string): string => line.trim()

/** Makes the tables of an earlier project, except what these migrations make. */
async function makeTables(
  database: Database,
  dialect: Dialects,
  without: readonly string[] = [],
): Promise<void> {
  await new Ledger('migrations').prepare(database)
  for (const [name, statements] of copiedMigrations(dialect)) {
    if (without.includes(name)) continue
    for (const statement of statements) await database.run({ sql: statement, parameters: [] })
    const row = kept.rows['migrations']?.find((one) => one['name'] === name)
    await insert(database, 'migrations', row ?? assert.fail(`${name} is in no row`))
  }
}

async function insert(
  database: Database,
  into: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const join = (parts: readonly Statement[]): Statement =>
    parts.reduce((all, part) => sql`${all}, ${part}`)
  const names = join(Object.keys(row).map((name) => sql`${sql.name(name)}`))
  const values = join(Object.values(row).map((value) => sql`${read(value)}`))
  await database.run(sql`INSERT INTO ${sql.name(into)} (${names}) VALUES (${values})`)
}

/** Bytes are written as `{ hex }`. */
function read(value: unknown): unknown {
  const hex: unknown = Object(value)['hex']
  return typeof hex === 'string' ? Buffer.from(hex, 'hex') : value
}

async function insertPeople(database: Database): Promise<void> {
  for (const [name, rows] of Object.entries(kept.rows)) {
    if (name === 'migrations') continue
    for (const row of rows) await insert(database, name, row)
  }
  // Where tests make hashes cheap, those of the rows fit no password.
  const hash = await new Password().hash(kept.password)
  await database.run(sql`UPDATE users SET password = ${hash} WHERE email = 'dora@example.org'`)
}

async function describeTables(
  database: Database,
  names: Iterable<string>,
): Promise<Readonly<Record<string, CatalogTable | null>>> {
  const found: Record<string, CatalogTable | null> = {}
  for (const name of names) {
    found[name] = await database.dialect.schema.catalog.readTable(database, name)
  }
  return found
}

/** The names of the tables that statements create, without the one that nobody needs any more. */
function tablesIn(dialect: Dialects): readonly string[] {
  const statements = [...copiedMigrations(dialect).values()].flat()
  return statements
    .flatMap((text) => /^CREATE TABLE ["`](\w+)/.exec(text)?.[1] ?? [])
    .filter((name) => name !== 'submissions')
}

async function states(migrator: Migrator): Promise<readonly string[]> {
  return [...new Set((await migrator.status()).map(({ state }) => state))]
}

async function countRows(database: Database): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const name of Object.keys(kept.rows)) {
    counts[name] = (await database.rows(sql`SELECT * FROM ${sql.name(name)}`)).length
  }
  return counts
}

/** Serves the demo, which has every part, on such a database, at the time its rows were written. */
async function serve(
  t: TestContext,
  dialect: Dialects,
  create: () => Promise<string>,
): Promise<DemoServer> {
  const url = await create()
  const database = await connect(url)
  await makeTables(database, dialect)
  await insertPeople(database)
  await database.close()
  const env = { DATABASE_URL: url, APP_KEY: kept.key, APP_URL: 'http://localhost:8000' }
  const app = await serveDemo({ env })
  t.after(() => app.close())
  app.travel(kept.at - epochSeconds())
  return app
}

/** What a browser with this cookie is shown. */
function askWith(app: DemoServer, cookie: string, url = '/account') {
  return app.inject({ url, headers: { accept: 'text/html', cookie } })
}

onEveryDatabase((dialect, open, create) => {
  test('the tables of copied accounts are known: they get the columns that came later, and nothing is run again', async (t) => {
    const database = await open(t)
    await makeTables(database, dialect)
    await insertPeople(database)
    const { migrations = 0, ...before } = await countRows(database)
    const migrator = new Migrator(database, demoFolder, { builtIn: demoMigrations })
    assert.deepEqual(
      (await migrator.up()).map(({ name }) => name),
      columns,
    )
    assert.deepEqual(await states(migrator), ['applied'])
    assert.deepEqual(await countRows(database), { ...before, migrations: migrations + 2 })
  })

  test('a new database has the same tables, columns and indexes', async (t) => {
    const [old, fresh] = [await open(t), await open(t)]
    await makeTables(old, dialect)
    await migrate(old, demoFolder, { builtIn: demoMigrations })
    await migrate(fresh, demoFolder, { builtIn: demoMigrations })
    const names = tablesIn(dialect)
    assert.equal(names.length, 24)
    assert.deepEqual(await describeTables(fresh, names), await describeTables(old, names))
  })

  test('what was left out of an earlier project is made when its option is on', async (t) => {
    const database = await open(t)
    const left = [
      '20260101000010_create_activity_table',
      '20260101000011_create_authenticator_tables',
      '20260101000012_create_api_tokens_table',
      '20260101000013_create_passkey_tables',
      '20260101000015_create_email_changes_table',
      '20260101000016_create_account_data_tables',
      '20260101000017_create_openid_identities_table',
    ]
    await makeTables(database, dialect, left)
    const none = new Migrator(database, demoFolder, { builtIn: await accounts({}).migrations() })
    assert.deepEqual(
      (await none.up()).map(({ name }) => name),
      columns,
    )
    const some = await accounts({ passkeys: true, exports: true }).migrations()
    assert.deepEqual(await migrate(database, demoFolder, { builtIn: some }), [
      '20260101000013_create_passkey_tables',
      '20260101000023_create_account_exports_table',
    ])
    await migrate(database, demoFolder, { builtIn: demoMigrations })
    const fresh = await open(t)
    await migrate(fresh, demoFolder, { builtIn: demoMigrations })
    const names = tablesIn(dialect)
    assert.deepEqual(await describeTables(database, names), await describeTables(fresh, names))
    // Turned off again, they stay and stay known.
    assert.deepEqual(await states(none), ['applied'])
    assert.deepEqual(await none.up(), [])
  })

  test('a migration file with the name of a built-in one takes its place', async (t) => {
    const database = await open(t)
    const planted = plantMigrations(t, {
      '20260101000002_create_tokens_table.ts': table('one'),
      // It made two tables, which are two migrations now.
      '20260101000016_create_account_data_tables.ts': table('two'),
      '20260301000000_three.ts': table('three'),
    })
    const builtIn = await accounts({ deletion: true, exports: true }).migrations()
    const migrator = new Migrator(database, planted, { builtIn })
    const applied = (await migrator.up()).map(({ name }) => name)
    assert.deepEqual(
      applied.filter((name) => /_tokens_|account_/.test(name)),
      [
        '20260101000002_create_tokens_table',
        '20260101000016_create_account_data_tables',
        '20260101000019_add_account_proofs',
      ],
    )
    const {
      tokens,
      one,
      account_deletions: deletions,
    } = await describeTables(database, ['tokens', 'one', 'account_deletions'])
    assert.deepEqual([tokens, deletions], [null, null])
    assert.notEqual(one, null)
    assert.deepEqual(await states(migrator), ['applied'])
  })

  test('built-in migrations are rolled back as files are, those of copied accounts too', async (t) => {
    const database = await open(t)
    await makeTables(database, dialect)
    const migrator = new Migrator(database, demoFolder, { builtIn: demoMigrations })
    await migrator.up()
    const names = tablesIn(dialect)
    const whole = await describeTables(database, names)
    await migrator.down()
    const reverted = (await migrator.down()).map(({ name }) => name)
    assert.deepEqual(reverted, [...copiedMigrations(dialect).keys()].toReversed())
    const emptied = await describeTables(database, names)
    assert.deepEqual(new Set(Object.values(emptied)), new Set([null]))
    await migrator.up()
    assert.deepEqual(await describeTables(database, names), whole)
    await migrator.down({ steps: 3 })
    const { account_exports: exports, account_deletions: deletions } = await describeTables(
      database,
      names,
    )
    assert.deepEqual([exports === null, deletions === null], [true, false])
  })

  test('whoever was signed in stays signed in, on devices too', async (t) => {
    const app = await serve(t, dialect, create)
    for (const cookie of [kept.session, kept.device, kept.secondFactorSession]) {
      assert.equal((await askWith(app, cookie)).status, 200, cookie)
    }
    const [name = '', value = ''] = kept.device.split('=')
    const guess = `${name}=${value.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`
    assert.equal((await askWith(app, guess)).headers['location'], '/login')
  })

  test('second factors, recovery codes and tokens of copied accounts still work', async (t) => {
    const app = await serve(t, dialect, create)
    const authorization = `Bearer ${kept.apiToken}`
    const asked = await app.inject({ url: '/api/account', headers: { authorization } })
    assert.equal(asked.status, 200)
    assert.equal(Object(asked.json())['email'], 'ada@example.org')
    for (const code of [totpCode(kept.totpSecret, kept.at + 30), kept.recoveryCode]) {
      const visitor = app.visitor()
      const { password } = kept
      const first = await visitor.submit('/login', { email: 'dora@example.org', password })
      assert.equal(first.to, '/login/factor')
      assert.equal((await visitor.ask('/account')).headers['location'], '/login')
      assert.equal((await visitor.submit('/login/factor/totp', { code })).to, '/account')
      assert.equal((await visitor.ask('/account')).status, 200)
    }
  })

  test('links in mails that were sent before still work', async (t) => {
    const app = await serve(t, dialect, create)
    const forgetful = app.visitor()
    const password = 'another quiet copper lamp'
    const chosen = { password, password_confirmation: password }
    assert.equal((await forgetful.submit(kept.reset, chosen)).to, '/login')
    const again = await forgetful.submit('/login', { email: 'bob@example.org', password })
    assert.equal(again.to, '/account')
    const moving = app.visitor()
    const [name = '', value = ''] = kept.changing.split('=')
    moving.cookies.set(name, value)
    await moving.submit(kept.emailChange)
    assert.match((await moving.open('/account')).page, /cleo\.new@example\.org/)
  })
})
