import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../base/errors.ts'
import { Dialects } from './sql/dialects/dialect.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { databaseUrlForms, defaultDatabaseUrl, dialectOf, drivers, loadDriver } from './drivers.ts'

test('every database has a driver, and every scheme maps to one', () => {
  assert.deepEqual(Object.keys(drivers), Object.values(Dialects))
  for (const [name, { schemes }] of Object.entries(drivers)) {
    assert.deepEqual([...new Set(schemes.map(dialectOf))], [name])
  }
  assert.equal(dialectOf('oracle:'), undefined)
})

test('the forms of the URLs are one phrase', () => {
  assert.equal(
    databaseUrlForms,
    'sqlite:<file>, postgres://<user>:<password>@<host>/<name> or mariadb://…',
  )
})

test('a database in a file needs no setting, one on a server is expected at its port', () => {
  assert.equal(parseDatabaseUrl(defaultDatabaseUrl).file, 'storage/database.sqlite')
  for (const { port, projectUrl } of Object.values(drivers)) {
    if (projectUrl === null) assert.equal(port, null)
    else assert.equal(parseDatabaseUrl(projectUrl('shop')).port, port)
  }
})

// A variable, so that the compiler does not look for it.
const missing: string = 'framework-package-that-nobody-has'

test('an installed driver is returned', async () => {
  const driver = { open: 1 }
  assert.equal(await loadDriver('pg', () => Promise.resolve(driver)), driver)
})

test('a missing package is an error that says what to install', async () => {
  const load = loadDriver(missing, () => import(missing))
  await assert.rejects(load, ConfigurationError)
  await assert.rejects(load, {
    code: 'E_DATABASE_DRIVER',
    message: `this database needs the package ${missing}, which is not installed: npm install ${missing}`,
  })
})

test('any other failure of a driver is passed on', async () => {
  await assert.rejects(
    loadDriver('pg', () => import(missing)),
    { code: 'ERR_MODULE_NOT_FOUND' },
  )
  const broken = new Error("Cannot use 'pg'")
  await assert.rejects(
    loadDriver('pg', () => Promise.reject(broken)),
    broken,
  )
})
