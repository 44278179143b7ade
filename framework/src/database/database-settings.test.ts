import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../base/errors.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { databaseScope, databaseUrlIn } from './database-settings.ts'
import { effectiveTable } from '../settings/effective-table.ts'
import type { EnvSource } from '../settings/env-source.ts'
import { readScopes } from '../settings/scope.ts'

function given(text: string | null): EnvSource {
  const lookup = (): ReturnType<EnvSource['lookup']> =>
    text === null ? null : { text, origin: 'the environment' }
  return { environment: 'production', lookup }
}

function read(text: string | null): string {
  return readScopes({ database: databaseScope }, given(text)).database.url
}

test('without a setting the database is a file of the project', () => {
  assert.equal(read(null), 'sqlite:storage/database.sqlite')
  assert.equal(read(''), 'sqlite:storage/database.sqlite')
})

for (const url of [
  'sqlite::memory:',
  'postgres://ada:pw@db.example/shop?pool=20',
  'mariadb://db.example/shop',
]) {
  test(`${url} is taken as it is`, () => assert.equal(read(url), url))
}

for (const url of [
  'oracle://ada:hunter2@db.example/shop',
  'postgres://ada:hunter2@db.example',
  'postgres://ada:hunter2@db.example/shop?pol=20',
  'sqlite:',
]) {
  test(`${url} is an error that says what is expected and shows no password`, () => {
    assert.throws(
      () => read(url),
      (error) => {
        assert.ok(error instanceof ConfigurationError)
        assert.equal(error.code, 'E_CONFIG_INVALID')
        assert.match(error.message, /DATABASE_URL .* must be sqlite:<file>, postgres:/)
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  })
}

test('sslmode=require is refused by a sentence that names it and what to write instead', () => {
  const url = 'postgres://ada:hunter2@db.example/shop?sslmode=require'
  assert.throws(() => read(url), /tls=on.*sslmode=require/)
})

test('framework config shows where the database is, but not the user', () => {
  const [row] = effectiveTable([databaseScope], given('postgres://ada:hunter2@db.example/shop'))
  assert.equal(row?.value, 'postgres://********@db.example/shop')
})

test('the file of an SQLite database is looked for in the folder of the project', () => {
  assert.equal(databaseUrlIn('/srv/shop', 'sqlite:storage/a.db'), 'sqlite:/srv/shop/storage/a.db')
  assert.equal(
    databaseUrlIn('/srv/shop', 'sqlite://storage/a.db?busy_timeout=1'),
    'sqlite:/srv/shop/storage/a.db?busy_timeout=1',
  )
})

test('a URL without a relative file is returned unchanged', () => {
  for (const url of ['sqlite::memory:', 'sqlite:/var/a.db', 'postgres://db.example/shop?pool=2']) {
    assert.equal(databaseUrlIn('/srv/shop', url), url)
  }
})

test('a folder with special characters does not change the meaning of the URL', () => {
  const url = databaseUrlIn('/srv/50% ?pool=x', 'sqlite:a%20b.db?busy_timeout=2')
  const { file, busyTimeout } = parseDatabaseUrl(url)
  assert.equal(file, '/srv/50% ?pool=x/a b.db')
  assert.equal(busyTimeout, 2)
})
