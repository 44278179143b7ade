import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { QueryEntry } from '../../src/database/query-log.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { Statement } from '../../src/database/sql/plan/statement.ts'
import { onDatabase, servers } from '../support/test-databases.ts'

const secret = 'the-secret-value'

async function failureOf(work: Promise<unknown>): Promise<DatabaseError> {
  const error = await work.then(
    () => assert.fail('it worked'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof DatabaseError, String(error))
  return error
}

onDatabase('postgres', (_name, open, create) => {
  test('each failure has its code and its subject, and shows no value', async (t) => {
    const database = await open(t)
    await database.run(sql`create table parents (id int primary key)`)
    await database.run(sql`create table rows (
      id int primary key, email text constraint one_email unique, age int constraint adult check (age >= 18),
      name varchar(20) not null, parent int constraint has_parent references parents on delete restrict)`)
    await database.run(sql`insert into parents values (1)`)
    await database.run(sql`insert into rows values (1, ${secret}, 20, '', 1)`)
    const cases: [Statement, string, string | null][] = [
      [sql`insert into rows values (2, ${secret}, 20, '')`, 'E_DUPLICATE_KEY', 'one_email'],
      [sql`insert into rows values (1, 'x', 20, '')`, 'E_DUPLICATE_KEY', 'rows_pkey'],
      [sql`insert into rows values (2, ${secret + 2}, 17, '')`, 'E_CHECK', 'adult'],
      [sql`insert into rows values (2, ${secret + 2}, 20, null)`, 'E_NOT_NULL', 'name'],
      [sql`insert into rows values (2, ${secret + 2}, 20, '', 9)`, 'E_FOREIGN_KEY', 'has_parent'],
      [sql`delete from parents where id = 1 and ${secret} <> ''`, 'E_FOREIGN_KEY', 'has_parent'],
      [sql`insert into rows values (2, 'x', 20, ${secret.repeat(9)})`, 'E_VALUE', null],
      [sql`insert into rows values (${secret}, 'x', 20, '')`, 'E_VALUE', null],
      [sql`select ${`{"a":"${secret}`}::jsonb`, 'E_VALUE', null],
      [sql`select ${secret}::timestamptz`, 'E_VALUE', null],
      [sql`select ${secret}::regclass`, 'E_STATEMENT', null],
      [sql`select set_config(${secret}, '1', false)`, 'E_STATEMENT', null],
      [sql`do ${sql`$$ begin raise exception 'the-secret-value'; end $$`}`, 'E_DATABASE', null],
    ]
    for (const [statement, code, constraint] of cases) {
      const error = await failureOf(database.run(statement))
      assert.deepEqual(
        [error.code, error.constraint],
        [code, constraint],
        statement.strings.join('?'),
      )
      assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /the-secret-value/)
    }
  })

  test('a text with NUL is rejected before anything is sent, and a transaction goes on', async (t) => {
    const database = await open(t)
    await database.transaction(async (transaction) => {
      const refused = transaction.run(sql`select ${`${secret}\0`}::text`)
      await assert.rejects(refused, (error: Error) => {
        assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /the-secret-value/)
        return error.name === 'RefusedInput' && Reflect.get(error, 'code') === 'E_VALUE'
      })
      assert.equal((await transaction.rows(sql`select 1 as one`)).length, 1)
    })
  })

  test('an invalid statement is reported with the message of the server', async (t) => {
    const database = await open(t)
    await database.run(sql`create table known ()`)
    const cases: [Statement, RegExp][] = [
      [sql`select * from nowhere where a = ${secret}`, /relation "nowhere" does not exist/],
      [sql`selec ${secret}`, /syntax error at or near "selec"/],
      [sql`select nothing from (select ${secret}) as a`, /column "nothing" does not exist/],
      [sql`create table known ()`, /relation "known" already exists/],
    ]
    for (const [statement, text] of cases) {
      const error = await failureOf(database.run(statement))
      assert.equal(error.code, 'E_STATEMENT')
      assert.match(error.message, text)
      assert.doesNotMatch(error.message, /the-secret-value/)
    }
  })

  test('a statement that takes too long is stopped, and its connection stays usable', async (t) => {
    const database = await open(t, 'pool=1&statement_timeout=0.1')
    const error = await failureOf(database.run(sql`select pg_sleep(30)`))
    assert.equal(error.code, 'E_STATEMENT_TIMEOUT')
    assert.deepEqual(await database.rows(sql`select 1 as a`), [{ a: 1 }])
  })

  test('a database that cannot be reached, accessed or found is reported when connecting', async () => {
    const url = new URL(await create())
    const attempt = (change: Partial<URL>): Promise<DatabaseError> =>
      failureOf(connect(Object.assign(new URL(url), change).href))
    const cases: [Partial<URL>, RegExp][] = [
      [{ port: '1' }, /nothing is listening there/],
      [{ password: secret }, /rejected the user or the password/],
      [{ password: '' }, /password exchange/],
      [{ pathname: '/nothing' }, /no database with that name/],
      [{ search: 'tls=on' }, /certificate is not trusted/],
    ]
    for (const [change, text] of cases) {
      const error = await attempt(change)
      assert.equal(error.code, 'E_CONNECTION_LOST')
      assert.match(error.message, text)
      assert.ok(error.message.includes(`postgres://${url.hostname}:`))
      assert.doesNotMatch(inspect(error), /the-secret-value|let me in/)
    }
  })

  test('TLS is used when the URL asks for it', async (t) => {
    const database = await open(t, 'tls=unverified')
    const [row] = await database.rows(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`)
    assert.deepEqual(row, { ssl: true })
    const [one, other] = database.pipeline(
      { sql: 'select 1', parameters: [] },
      { sql: 'select 2', parameters: [] },
    )
    assert.equal((await one.settled()).affected + (await other.settled()).affected, 2)
  })

  test('a server that has reached its connection limit is reported', async (t) => {
    const url = await create()
    const database = await connect(url)
    t.after(() => database.close())
    const name = new URL(url).pathname.slice(1)
    await database.run({ sql: `alter database ${name} connection limit 1`, parameters: [] })
    await database.run(sql`create role guest login password 'guest'`)
    const guest = Object.assign(new URL(url), { username: 'guest', password: 'guest' }).href
    const error = await failureOf(connect(guest))
    assert.deepEqual([error.code, error.native], ['E_CONNECTION_LOST', '53300'])
    assert.match(error.message, /no more connections/)
    await database.run(sql`drop role guest`)
  })

  test('the log receives every statement, without its values', async (t) => {
    const heard: QueryEntry[] = []
    const database = await connect(await create(), { log: (entry) => heard.push(entry) })
    t.after(() => database.close())
    await database.run(sql`select ${secret}::text`)
    await assert.rejects(database.run(sql`select * from nowhere`))
    await Promise.all(
      database
        .pipeline({ sql: 'select 1', parameters: [] }, { sql: 'select 2', parameters: [] })
        .map((operation) => operation.settled()),
    )
    await database.transaction((transaction) => transaction.run(sql`select 3`))
    assert.deepEqual(
      heard.map(({ sql, rows, failure }) => [sql, rows, failure]),
      [
        ['select $1::text', 1, null],
        ['select * from nowhere', 0, 'E_STATEMENT'],
        ['select 1', 1, null],
        ['select 2', 1, null],
        ['BEGIN', 0, null],
        ['select 3', 1, null],
        ['COMMIT', 0, null],
      ],
    )
    assert.doesNotMatch(JSON.stringify(heard), /the-secret-value/)
  })

  test('the label has neither user nor password', async (t) => {
    const database = await open(t)
    const { port = 0 } = servers.postgres ?? {}
    assert.match(database.label, new RegExp(`^postgres://[^@]+:${port}/\\w+$`))
  })
})
