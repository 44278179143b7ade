import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Dialects } from './sql/dialects/dialect.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { databaseUrlForms, defaultDatabaseUrl, dialectOf, drivers } from './drivers.ts'

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
