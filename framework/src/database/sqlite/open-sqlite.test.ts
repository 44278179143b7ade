import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { parseDatabaseUrl } from '../database-url.ts'
import { DatabaseError } from '../database-error.ts'
import type { Database } from '../surface.ts'
import { openSqlite } from './open-sqlite.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'open-sqlite-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

function open(url: string): Promise<Database> {
  return openSqlite(parseDatabaseUrl(url), { log: null })
}

async function opened(t: TestContext, url: string): Promise<Database> {
  const database = await open(url)
  t.after(() => database.close())
  return database
}

async function value(database: Database, sql: string): Promise<unknown> {
  const [row] = await database.rows({ sql, parameters: [] })
  return Object.values(row ?? {})[0]
}

test('the folder of the file is created, and the label names the file', async (t) => {
  const file = join(folder(t), 'deep/er/a.db')
  const database = await open(`sqlite:${file}`)
  assert.equal(database.label, `sqlite:${file}`)
  assert.ok(existsSync(file))
  await database.close()
})

test('only the owner may read the files, whatever the umask, also those made before', async (t) => {
  const umask = process.umask(0)
  t.after(() => process.umask(umask))
  const file = join(folder(t), 'deep', 'a.db')
  const modes = (): number[] =>
    [join(file, '..'), file, `${file}-wal`, `${file}-shm`].map(
      (path) => statSync(path).mode & 0o777,
    )
  const database = await opened(t, `sqlite:${file}`)
  await database.run({ sql: 'CREATE TABLE a (b)', parameters: [] })
  assert.deepEqual(modes(), [0o700, 0o600, 0o600, 0o600])
  for (const suffix of ['', '-wal', '-shm']) chmodSync(file + suffix, 0o644)
  await opened(t, `sqlite:${file}`)
  assert.deepEqual(modes(), [0o700, 0o600, 0o600, 0o600])
})

test('opening a file again keeps the locks of the connections that are open', async (t) => {
  if (process.platform !== 'linux') return t.skip('needs /proc/locks')
  const file = join(folder(t), 'a.db')
  const database = await opened(t, `sqlite:${file}`)
  await database.run({ sql: 'CREATE TABLE a (b)', parameters: [] })
  const { ino } = statSync(file)
  const isLocked = (): boolean => readFileSync('/proc/locks', 'utf8').includes(`:${ino} `)
  assert.ok(isLocked())
  // Closing any descriptor of a file ends all POSIX locks of this process on it.
  await opened(t, `sqlite:${file}`)
  assert.ok(isLocked())
})

test('connections have a write-ahead log, foreign keys and no double flush', async (t) => {
  const database = await opened(t, 'sqlite::memory:')
  assert.equal(await value(database, 'PRAGMA journal_mode'), 'wal')
  const file = await open(`sqlite:${join(folder(t), 'a.db')}`)
  const settings = ['PRAGMA journal_mode', 'PRAGMA foreign_keys', 'PRAGMA synchronous']
  const main: unknown[] = []
  for (const sql of settings) main.push(await value(file, sql))
  assert.deepEqual(main, ['wal', 1, 1])
  for (const readOnly of [false, true]) {
    await file.transaction(
      async (transaction) => {
        const seen: unknown[] = []
        for (const sql of settings) {
          const { rows } = await transaction.run({ sql, parameters: [], raw: true })
          seen.push(rows.flat()[0])
        }
        assert.deepEqual(seen, ['wal', 1n, 1n])
      },
      { readOnly },
    )
  }
  await file.close()
})

test('a relative file stays the same when the process changes its folder', async (t) => {
  const path = folder(t)
  const home = process.cwd()
  const database = await open(`sqlite:${relative(home, join(path, 'a.db'))}`)
  // So deep that the same relative path leads elsewhere.
  const elsewhere = join(path, 'a/b/c/d/e')
  mkdirSync(elsewhere, { recursive: true })
  process.chdir(elsewhere)
  try {
    await database.transaction((transaction) =>
      transaction.run({ sql: 'CREATE TABLE t (a)', parameters: [] }),
    )
  } finally {
    process.chdir(home)
  }
  assert.equal(await value(database, 'SELECT count(*) FROM t'), 0)
  await database.close()
})

test('data of a closed database is there when it is opened again', async (t) => {
  const file = join(folder(t), 'a.db')
  const first = await open(`sqlite:${file}`)
  await first.run({ sql: 'CREATE TABLE t (a)', parameters: [] })
  await first.run({ sql: 'INSERT INTO t VALUES (?)', parameters: ['kept'] })
  await first.transaction((transaction) =>
    transaction.run({ sql: 'UPDATE t SET a = ?', parameters: ['changed'] }),
  )
  await first.transaction(() => undefined, { readOnly: true })
  await first.close()
  assert.equal(existsSync(`${file}-wal`), false, 'the log stays while a connection is open')
  const second = await open(`sqlite:${file}`)
  assert.equal(await value(second, 'SELECT a FROM t'), 'changed')
  await second.close()
})

test('each database in memory is private, shared by its transactions, and leaves no file', async (t) => {
  const one = await open('sqlite::memory:')
  const two = await opened(t, 'sqlite::memory:')
  const file = String(await value(one, 'SELECT file FROM pragma_database_list'))
  assert.ok(file.startsWith(join(tmpdir(), 'framework-')))
  await one.run({ sql: 'CREATE TABLE t (a)', parameters: [] })
  await one.transaction((transaction) =>
    transaction.run({ sql: 'INSERT INTO t VALUES (1)', parameters: [] }),
  )
  assert.equal(await value(one, 'SELECT count(*) FROM t'), 1)
  await assert.rejects(value(two, 'SELECT count(*) FROM t'), { code: 'E_STATEMENT' })
  await one.close()
  assert.equal(existsSync(join(file, '..')), false)
})

async function refusal(url: string): Promise<DatabaseError> {
  try {
    await (await open(url)).close()
  } catch (error) {
    assert.ok(error instanceof DatabaseError)
    return error
  }
  return assert.fail(`${url} was opened`)
}

test('a file that cannot be opened is reported with the reason', async (t) => {
  const path = folder(t)
  mkdirSync(join(path, 'folder'))
  writeFileSync(
    join(path, 'text'),
    'this is no database, but long enough to be asked for its header. '.repeat(20),
  )
  const asFolder = await refusal(`sqlite:${join(path, 'folder')}`)
  assert.equal(asFolder.code, 'E_DATABASE')
  assert.equal(asFolder.native, 'SQLITE_CANTOPEN')
  assert.match(asFolder.message, /^sqlite:.*folder cannot be opened: .*path/)
  const asText = await refusal(`sqlite:${join(path, 'text')}`)
  assert.match(asText.message, /not an SQLite database/)
  const below = await refusal(`sqlite:${join(path, 'text/below/a.db')}`)
  assert.match(
    below.message,
    /text cannot be written to, a file is where a folder should be \(ENOTDIR\)/,
  )
})

test('a file locked by another connection is waited for, then reported', async (t) => {
  const file = join(folder(t), 'a.db')
  const other = new DatabaseSync(file)
  other.exec('PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE t (a)')
  const failure = await refusal(`sqlite:${file}?busy_timeout=0.05`)
  assert.equal(failure.code, 'E_DATABASE_BUSY')
  const opening = open(`sqlite:${file}`)
  setTimeout(() => other.close(), 50)
  await (await opening).close()
})
