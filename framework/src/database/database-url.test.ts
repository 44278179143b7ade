import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ConfigurationError } from '../base/errors.ts'
import { parseDatabaseUrl } from './database-url.ts'

const secret = 'hunter2'

function refusal(url: string): string {
  try {
    parseDatabaseUrl(url)
  } catch (error) {
    assert.ok(error instanceof ConfigurationError)
    assert.equal(error.code, 'E_DATABASE_URL')
    assert.ok(!error.message.includes(secret), 'the password is not repeated')
    return error.message
  }
  return assert.fail(`${url} was accepted`)
}

test('an SQLite URL names a file, relative or absolute, or memory', () => {
  const file = (url: string): string | null => parseDatabaseUrl(url).file
  assert.equal(file('sqlite:storage/database.sqlite'), 'storage/database.sqlite')
  assert.equal(file('sqlite:/var/data/a.db'), '/var/data/a.db')
  assert.equal(file('sqlite:///var/data/a.db'), '/var/data/a.db')
  assert.equal(file('sqlite://storage/a.db'), 'storage/a.db')
  assert.equal(file('SQLITE:a%20b%3Fc.db?pool=3'), 'a b?c.db')
  assert.equal(file('sqlite::memory:'), null)
  assert.equal(file('sqlite::memory:?busy_timeout=1'), null)
})

test('a server URL names host, port, user, password and database', () => {
  const settings = parseDatabaseUrl('postgresql://us%40er:p%3Aw%2F@db.example:6000/shop%20one')
  assert.equal(settings.dialect, 'postgres')
  assert.equal(settings.host, 'db.example')
  assert.equal(settings.port, 6000)
  assert.equal(settings.user, 'us@er')
  assert.equal(settings.password, 'p:w/')
  assert.equal(settings.database, 'shop one')
  assert.equal(parseDatabaseUrl('postgres://[::1]/shop').host, '::1')
})

test('every scheme has its dialect and its port', () => {
  const pairs = ['postgres', 'postgresql', 'mariadb', 'mysql'].map((scheme) => {
    const { dialect, port } = parseDatabaseUrl(`${scheme}://host/name`)
    return `${scheme} ${dialect} ${port}`
  })
  assert.deepEqual(pairs, [
    'postgres postgres 5432',
    'postgresql postgres 5432',
    'mariadb mariadb 3306',
    'mysql mariadb 3306',
  ])
})

test('options have defaults, which the URL overrides', () => {
  const {
    pool,
    poolTimeout,
    connectTimeout,
    statementTimeout,
    busyTimeout,
    pipeline,
    prepare,
    tls,
  } = parseDatabaseUrl('sqlite:a.db')
  assert.deepEqual(
    [pool, poolTimeout, connectTimeout, statementTimeout, busyTimeout, pipeline, prepare, tls],
    [10, 10, 10, 30, 5, true, true, 'off'],
  )
  const given = parseDatabaseUrl(
    'postgres://h/n?pool=3&pool_timeout=0.5&connect_timeout=2&statement_timeout=0&busy_timeout=0&pipeline=off&prepare=off&tls=unverified',
  )
  assert.deepEqual(
    [given.pool, given.poolTimeout, given.connectTimeout, given.statementTimeout],
    [3, 0.5, 2, 0],
  )
  assert.deepEqual(
    [given.busyTimeout, given.pipeline, given.prepare, given.tls],
    [0, false, false, 'unverified'],
  )
})

test('an invalid URL is rejected with a reason that never contains the password', () => {
  assert.match(refusal('database.sqlite'), /must start with one of sqlite:, postgres:, mariadb:/)
  assert.match(refusal(`oracle://user:${secret}@host/name`), /must start with one of/)
  assert.match(refusal('sqlite:'), /names no file/)
  assert.match(refusal('sqlite:a%00b'), /NUL/)
  assert.match(refusal(`postgres://user:${secret}@/name`), /names no host/)
  assert.match(refusal(`postgres://user:${secret}@host`), /names no database/)
  assert.match(refusal(`postgres://user:${secret}@host/a/b`), /names no database/)
  assert.match(refusal(`postgres://user:${secret}%zz@host/name`), /%25/)
  assert.match(refusal(`postgres://user@host/name#${secret}`), /%23/)
})

test('an option that is unknown, malformed or out of range is rejected by name', () => {
  assert.match(refusal('sqlite:a.db?bussy_timeout=1'), /no option "bussy_timeout"/)
  assert.match(refusal('sqlite:a.db?pool=0'), /pool must be a number from 1/)
  assert.match(refusal('sqlite:a.db?pool=2.5'), /pool must be a whole number/)
  assert.match(refusal('sqlite:a.db?pool=1e9'), /pool must be a number/)
  assert.match(refusal('sqlite:a.db?busy_timeout=-1'), /busy_timeout must be a number from 0/)
  assert.match(refusal('sqlite:a.db?busy_timeout='), /busy_timeout must be a number/)
  assert.match(refusal(`sqlite:a.db?busy_timeout=${'9'.repeat(400)}`), /to 1000000/)
  assert.match(refusal('postgres://h/n?sslmode=require'), /no option "sslmode"; write tls=on/)
  assert.match(refusal('mariadb://h/n?ssl=true'), /no option "ssl"; write tls=on/)
  assert.match(refusal('postgres://h/n?tls=maybe'), /tls must be one of off, on, unverified/)
})

test('a label shows where the database is, without user and password', () => {
  const label = (url: string): string => parseDatabaseUrl(url).label
  assert.equal(label(`mysql://user:${secret}@host/name?pool=2`), 'mariadb://host:3306/name')
  assert.equal(label(`postgres://user:${secret}@[::1]:6000/name`), 'postgres://[::1]:6000/name')
  assert.equal(label('sqlite:storage/a.db'), 'sqlite:storage/a.db')
  assert.equal(label('sqlite::memory:'), 'sqlite::memory:')
})
