import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { InvalidArgumentException } from '../../base/errors.ts'
import { sql } from '../sql/plan/statement.ts'
import { connect } from '../connect.ts'
import type { QueryEntry } from '../query-log.ts'
import type { Database } from '../surface.ts'
import { parseDatabaseUrl } from '../database-url.ts'
import { DatabaseError } from '../database-error.ts'
import { openSqlite, temporaryFile } from './sqlite-database.ts'

interface Shared {
  readonly database: Database
  /** Another connection to the same file. */
  readonly other: DatabaseSync
  readonly file: string
}

async function shared(t: TestContext, options = 'busy_timeout=10'): Promise<Shared> {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-database-'))
  const file = join(folder, 'a.db')
  const database = await connect(`sqlite:${file}?${options}`)
  await database.run(sql`CREATE TABLE t (a)`)
  const other = new DatabaseSync(file)
  t.after(async () => {
    if (other.isOpen) other.close()
    await database.close()
    rmSync(folder, { recursive: true })
  })
  return { database, other, file }
}

async function count(database: Database): Promise<unknown> {
  const [row] = await database.rows(sql`SELECT count(*) AS n FROM t`)
  return row?.['n']
}

const insert = { sql: 'INSERT INTO t VALUES (1)', parameters: [] }

test('a statement settles synchronously, whether it succeeds or fails', async (t) => {
  const { database } = await shared(t)
  assert.equal(database.kind, 'sync')
  assert.equal(database.serial, false)
  const done = database.dispatch(insert)
  assert.equal(done.state, 'done')
  assert.deepEqual(done.result, { rows: [], affected: 1 })
  const failed = database.dispatch({ sql: 'SELECT 1 FROM nowhere', parameters: [] })
  assert.equal(failed.state, 'failed')
  assert.throws(() => failed.result, { code: 'E_STATEMENT' })
  const refused = database.dispatch({ sql: 'SELECT ?', parameters: [undefined] })
  assert.throws(() => refused.result, InvalidArgumentException)
})

test('a pipeline is two statements', async (t) => {
  const { database } = await shared(t)
  const [first, second] = database.pipeline(insert, {
    sql: 'SELECT count(*) AS n FROM t',
    parameters: [],
  })
  assert.equal(first.result.affected, 1)
  assert.deepEqual(second.result.rows, [{ n: 1 }])
  const [failed, worked] = database.pipeline({ sql: 'SELEKT', parameters: [] }, insert)
  assert.equal(failed.state, 'failed')
  assert.equal(worked.state, 'done')
})

test('run and rows take statements and queries; rows rejects raw ones', async (t) => {
  const { database } = await shared(t)
  assert.deepEqual(await database.run(sql`INSERT INTO t VALUES (${'x'})`), {
    rows: [],
    affected: 1,
  })
  assert.deepEqual(await database.rows({ sql: 'SELECT a FROM t', parameters: [] }), [{ a: 'x' }])
  await assert.rejects(
    database.rows({ sql: 'SELECT a FROM t', parameters: [], raw: true }),
    InvalidArgumentException,
  )
})

test('a write that meets a lock is pending, waits without blocking, and succeeds when the lock is gone', async (t) => {
  const { database, other } = await shared(t)
  other.exec('BEGIN IMMEDIATE')
  const operation = database.dispatch(insert)
  assert.equal(operation.state, 'pending')
  let turns = 0
  const timer = setInterval(() => {
    if (++turns === 10) other.exec('ROLLBACK')
  }, 2)
  assert.equal((await operation.settled()).affected, 1)
  clearInterval(timer)
  assert.ok(turns >= 10)
  assert.equal(await count(database), 1)
})

test('a read succeeds synchronously while another connection writes', async (t) => {
  const { database, other } = await shared(t)
  other.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (1)')
  const operation = database.dispatch({ sql: 'SELECT count(*) AS n FROM t', parameters: [] })
  assert.equal(operation.state, 'done')
  assert.deepEqual(operation.result.rows, [{ n: 0 }])
  other.exec('COMMIT')
})

test('a lock that outlasts busy_timeout is reported, and the next statement works', async (t) => {
  const { database, other } = await shared(t, 'busy_timeout=0.05')
  other.exec('BEGIN IMMEDIATE')
  await assert.rejects(database.run(insert), {
    code: 'E_DATABASE_BUSY',
    message: /stayed locked for the 0\.\d s .*another process or connection is writing/,
  })
  await assert.rejects(
    database.transaction(() => assert.fail('it must not begin')),
    { code: 'E_DATABASE_BUSY' },
  )
  other.exec('ROLLBACK')
  await database.run(insert)
  await database.transaction((transaction) => transaction.run(insert))
  assert.equal(await count(database), 2)
})

test('a statement that fails after its wait tells why', async (t) => {
  const { database, other } = await shared(t)
  other.exec('BEGIN IMMEDIATE; DROP TABLE t')
  const operation = database.dispatch(insert)
  assert.equal(operation.state, 'pending')
  other.exec('COMMIT')
  await assert.rejects(operation.settled(), { code: 'E_STATEMENT' })
})

test('columns that another connection adds, renames or drops are noticed immediately', async (t) => {
  const { database, other } = await shared(t)
  await database.run(insert)
  const star = (): Promise<unknown> => database.rows(sql`SELECT * FROM t`)
  assert.deepEqual(await star(), [{ a: 1 }])
  other.exec('ALTER TABLE t ADD COLUMN b DEFAULT 2')
  assert.deepEqual(await star(), [{ a: 1, b: 2 }])
  other.exec('ALTER TABLE t RENAME COLUMN a TO z')
  assert.deepEqual(await star(), [{ z: 1, b: 2 }])
  other.exec('ALTER TABLE t DROP COLUMN z')
  assert.deepEqual(await star(), [{ b: 2 }])
})

test('BEGIN is rejected on the shared connection', async (t) => {
  const { database } = await shared(t)
  for (const text of ['BEGIN', 'begin immediate', 'SAVEPOINT a']) {
    await assert.rejects(database.run({ sql: text, parameters: [] }), {
      code: 'E_STATEMENT',
      message: /transaction\(\)/,
    })
  }
  await database.run(insert)
  assert.equal(await count(database), 1)
})

test('ping resolves when the database responds, and rejects when its file is gone or it is closed', async (t) => {
  const { database, other, file } = await shared(t)
  await database.ping()
  other.close()
  rmSync(file)
  await assert.rejects(database.ping(), { code: 'E_DATABASE', message: /is gone/ })
  await database.close()
  await assert.rejects(database.ping(), { code: 'E_DATABASE_CLOSED' })
})

test('a closed database rejects every statement, and can be closed again', async (t) => {
  const { database } = await shared(t)
  await Promise.all([database.close(), database.close()])
  await database.close()
  const operation = database.dispatch(insert)
  assert.throws(() => operation.result, { code: 'E_DATABASE_CLOSED' })
  await assert.rejects(database.run(insert), { code: 'E_DATABASE_CLOSED' })
  await assert.rejects(
    database.transaction(() => 1),
    { code: 'E_DATABASE_CLOSED' },
  )
})

test('closing waits for pending work and rejects later work', async (t) => {
  const { database, other, file } = await shared(t)
  other.exec('BEGIN IMMEDIATE')
  const waiting = database.run(insert)
  const inLine = database.transaction((transaction) => transaction.run(insert))
  let isClosed = false
  const closing = database.close().then(() => (isClosed = true))
  await assert.rejects(database.run(insert), { code: 'E_DATABASE_CLOSED' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(isClosed, false)
  other.exec('ROLLBACK')
  await Promise.all([waiting, inLine, closing])
  const again = new DatabaseSync(file)
  assert.deepEqual({ ...again.prepare('SELECT count(*) AS n FROM t').get() }, { n: 2 })
  again.close()
})

test('closing is not blocked by another writer', async (t) => {
  const { database, other } = await shared(t)
  other.exec('BEGIN IMMEDIATE')
  await database.close()
})

test('the log receives every statement when it settles, also those that waited', async (t) => {
  const entries: QueryEntry[] = []
  const database = await connect('sqlite::memory:?busy_timeout=0.05', {
    log: (entry) => entries.push(entry),
  })
  t.after(() => database.close())
  await database.run(sql`CREATE TABLE t (a)`)
  await database.transaction(async (transaction) => {
    await transaction.run(sql`INSERT INTO t VALUES (${'secret'})`)
    await assert.rejects(database.run(insert), { code: 'E_DATABASE_BUSY' })
  })
  await assert.rejects(
    database.transaction(() => {
      throw new Error('no')
    }),
  )
  await new Promise(setImmediate)
  assert.deepEqual(
    entries.map((entry) => [entry.sql, entry.parameters, entry.rows, entry.failure]),
    [
      ['CREATE TABLE t (a)', 0, 0, null],
      ['BEGIN IMMEDIATE', 0, 0, null],
      ['INSERT INTO t VALUES (?)', 1, 1, null],
      ['INSERT INTO t VALUES (1)', 0, 0, 'E_DATABASE_BUSY'],
      ['COMMIT', 0, 0, null],
      ['BEGIN IMMEDIATE', 0, 0, null],
      ['ROLLBACK', 0, 0, null],
    ],
  )
  assert.ok((entries[3]?.durationMs ?? 0) >= 45)
})

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'open-sqlite-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

function open(url: string): Promise<Database> {
  return openSqlite(parseDatabaseUrl(url), null)
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

test('a row is a plain object with a property for each column, whatever its name', async (t) => {
  const { database } = await shared(t)
  const [row] = await database.rows(
    sql`SELECT 1 AS "a""b", 2 AS __proto__, 3 AS "x\u2028y", 4 AS same, 5 AS same, ${'text'} AS "'"`,
  )
  assert.deepEqual(Object.entries(row ?? {}), [
    ['a"b', 1],
    ['__proto__', 2],
    ['x\u2028y', 3],
    ['same', 5],
    ["'", 'text'],
  ])
  assert.equal(Object.getPrototypeOf(row), Object.prototype)
})

test('a temporary file is in a private folder until it is removed', async () => {
  const file = await temporaryFile('a.db')
  const other = await temporaryFile('a.db')
  assert.notEqual(dirname(file.path), dirname(other.path))
  assert.equal(statSync(dirname(file.path)).mode & 0o777, 0o700)
  writeFileSync(file.path, 'x')
  await file.remove()
  assert.equal(existsSync(dirname(file.path)), false)
  assert.equal(existsSync(dirname(other.path)), true)
  await other.remove()
  await other.remove()
})

test('however many files there are, the process has one exit listener', async () => {
  const before = process.listenerCount('exit')
  const files = await Promise.all(Array.from({ length: 5 }, () => temporaryFile('a.db')))
  assert.ok(process.listenerCount('exit') <= before + 1)
  await Promise.all(files.map((file) => file.remove()))
  assert.equal(process.listenerCount('exit'), before)
})
