import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { QueryEntry } from '../../src/database/query-log.ts'
import type { Database } from '../../src/database/surface.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { Statement } from '../../src/database/sql/plan/statement.ts'
import { onDatabase, servers } from '../support/test-databases.ts'

const secret = 'the-secret-value'
const misleading = `a' for key '${secret}`

async function failureOf(work: Promise<unknown>, what = 'it'): Promise<DatabaseError> {
  const error = await work.then(
    () => assert.fail(`${what} worked`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof DatabaseError, String(error))
  assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /the-secret-value/)
  return error
}

async function createTables(database: Database): Promise<void> {
  await database.run(sql`create table parents (id int primary key)`)
  await database.run(sql`create table samples (
    id int primary key, email varchar(200), age int, name varchar(20) not null, kind enum('a', 'b'),
    price decimal(4,2), moment datetime(6), document json, parent int,
    constraint one_email unique (email), constraint adult check (age >= 18),
    constraint has_parent foreign key (parent) references parents (id))`)
  await database.run(sql`insert into parents values (1)`)
  await database.run(sql`insert into samples (id, email, name, parent)
    values (1, ${secret}, 'a', 1), (4, ${misleading}, 'b', 1)`)
}

const failures: readonly (readonly [Statement, string, string | null])[] = [
  [row({ email: secret }), 'E_DUPLICATE_KEY', 'one_email'],
  [row({ email: misleading, id: 3 }), 'E_DUPLICATE_KEY', 'one_email'],
  [row({ id: 1 }), 'E_DUPLICATE_KEY', 'PRIMARY'],
  [row({ email: `${secret}2`, parent: 9 }), 'E_FOREIGN_KEY', 'has_parent'],
  [sql`delete from parents where id = 1 and ${secret} <> ''`, 'E_FOREIGN_KEY', 'has_parent'],
  [row({ email: `${secret}2`, name: null }), 'E_NOT_NULL', 'name'],
  [sql`insert into samples (id, email) values (2, ${`${secret}2`})`, 'E_NOT_NULL', 'name'],
  [row({ email: `${secret}2`, age: 17 }), 'E_CHECK', 'adult'],
  [row({ document: `{${secret}` }), 'E_CHECK', 'samples.document'],
  [row({ name: secret.repeat(9) }), 'E_VALUE', 'name'],
  [row({ age: 2 ** 40 }), 'E_VALUE', 'age'],
  [row({ age: secret }), 'E_VALUE', 'age'],
  [row({ age: `1\` at row 1 ${secret}` }), 'E_VALUE', 'age'],
  [row({ price: `1${secret}` }), 'E_VALUE', 'price'],
  [row({ kind: secret }), 'E_VALUE', 'kind'],
  [row({ moment: secret }), 'E_VALUE', 'moment'],
  [sql`update samples set age = 1 / 0 where ${secret} <> ''`, 'E_VALUE', null],
  [sql`update samples set age = 20 + ${secret}`, 'E_VALUE', null],
  [sql`select 'a' regexp ${`(${secret}`}`, 'E_VALUE', null],
  [sql`select ${2n ** 63n - 1n} + ${2n ** 63n - 1n}, ${secret}`, 'E_VALUE', null],
  [sql`set session sql_mode = ${secret}`, 'E_STATEMENT', null],
  [sql`insert into samples (id, name) select 5, ${secret}, 6`, 'E_STATEMENT', null],
  [sql`call nowhere(${secret})`, 'E_STATEMENT', null],
  [sql`select (select id from parents union select ${secret})`, 'E_STATEMENT', null],
  [sql`call refuse(${secret})`, 'E_DATABASE', null],
]

function row(values: Readonly<Record<string, unknown>>): Statement {
  const full = { id: 2, name: '', ...values }
  const names = Object.keys(full).map((name) => sql.name(name))
  return sql`insert into samples (${sql.list(names)}) values (${sql.list(Object.values(full))})`
}

onDatabase('mariadb', (_name, open, create) => {
  for (const options of ['prepare=on', 'prepare=off']) {
    test(`with ${options} each failure has its code and its subject, and shows no value`, async (t) => {
      const database = await open(t, options)
      await createTables(database)
      await database.run(sql`create procedure refuse(word text)
        signal sqlstate '45000' set message_text = word`)
      for (const [statement, code, constraint] of failures) {
        const text = statement.strings.join('?')
        const error = await failureOf(database.run(statement), text)
        const found = [error.code, error.constraint]
        assert.deepEqual(found, [code, constraint], `${text}: ${error.message}`)
      }
    })

    test(`with ${options} an invalid statement is reported with the message of the server`, async (t) => {
      const database = await open(t, options)
      await database.run(sql`create table known (a int)`)
      const cases: readonly (readonly [Statement, RegExp])[] = [
        [sql`select * from nowhere where a = ${secret}`, /Table '\w+\.nowhere' doesn't exist$/],
        [sql`select nothing from known where ${secret}`, /Unknown column 'nothing' in '[\w ]+'$/],
        [sql`select nothing(${secret})`, /FUNCTION \w+\.nothing does not exist$/],
        [sql`create table known (a int)`, /Table 'known' already exists$/],
        [sql`selec`, /wrong syntax near 'selec' at line 1$/],
        [sql`select ${secret} frm known`, options === 'prepare=on' ? /near 'known'/ : /syntax/],
        [sql`selec ${secret}`, options === 'prepare=on' ? /near 'selec \?'/ : /wrong syntax$/],
      ]
      for (const [statement, text] of cases) {
        const error = await failureOf(database.run(statement))
        assert.equal(error.code, 'E_STATEMENT')
        assert.match(error.message, text)
      }
    })

    test(`with ${options} a statement that takes too long is stopped, and its connection stays usable`, async (t) => {
      const database = await open(t, `pool=1&statement_timeout=0.1&${options}`)
      const [{ id } = {}] = await database.rows(sql`select connection_id() as id`)
      const error = await failureOf(database.run(sql`select sleep(30), ${secret}`))
      assert.equal(error.code, 'E_STATEMENT_TIMEOUT')
      assert.deepEqual(await database.rows(sql`select connection_id() as id`), [{ id }])
    })

    test(`with ${options} a value larger than a packet is rejected, and the next statement works`, async (t) => {
      const database = await open(t, `pool=1&${options}`)
      const error = await failureOf(database.run(sql`select length(${secret.repeat(1_100_000)})`))
      assert.deepEqual([error.code, error.native], ['E_VALUE', '1153'])
      assert.deepEqual(await database.rows(sql`select 1 as a`), [{ a: 1 }])
    })
  }

  test('without a statement timeout a statement may take long', async (t) => {
    const database = await open(t, 'statement_timeout=0')
    assert.deepEqual(await database.rows(sql`select @@max_statement_time as a`), [{ a: 0 }])
  })

  test('a database that cannot be reached, accessed or found is reported when connecting', async () => {
    const url = new URL(await create())
    const cases: readonly (readonly [Partial<URL>, RegExp])[] = [
      [{ port: '1' }, /nothing is listening there/],
      [{ password: secret }, /rejected the user or the password/],
      [{ password: '' }, /rejected the user or the password/],
      [{ pathname: '/nothing' }, /no database with that name/],
    ]
    for (const [change, text] of cases) {
      const error = await failureOf(connect(Object.assign(new URL(url), change).href))
      assert.equal(error.code, 'E_CONNECTION_LOST')
      assert.match(error.message, text)
      assert.ok(error.message.includes(`mariadb://${url.hostname}:`))
      assert.doesNotMatch(inspect(error), /let me in/)
    }
  })

  test('a URL without a user is rejected: the driver would take one from elsewhere', async () => {
    const url = Object.assign(new URL(await create()), { username: '', password: '' })
    await assert.rejects(connect(url.href), { code: 'E_DATABASE_URL', message: /names no user/ })
  })

  test('TLS is used when the URL asks for it', async (t) => {
    const database = await open(t, 'pool=1&tls=unverified')
    const [row] = await database.rows(sql`show session status like 'Ssl_version'`)
    assert.match(String(row?.['Value']), /^TLS/)
    const [one, other] = database.pipeline(
      { sql: 'select 1', parameters: [] },
      { sql: 'select 2', parameters: [] },
    )
    assert.equal((await one.settled()).affected + (await other.settled()).affected, 2)
  })

  test('an untrusted certificate is rejected, unless the password proves the server', async () => {
    const url = await create()
    const database = await connect(url)
    const [{ version } = {}] = await database.rows(sql`select version() as version`)
    await database.close()
    const work = connect(`${url}?tls=on`)
    // From 11.4 on the server proves with the user's password that the certificate is its own.
    if (/^(?:10\.|11\.[0-3]\.)/.test(String(version))) {
      const error = await failureOf(work)
      assert.equal(error.code, 'E_CONNECTION_LOST')
      assert.match(error.message, /its certificate is not trusted/)
    } else await (await work).close()
  })

  test('a user who has reached the connection limit is told so', async (t) => {
    const url = await create()
    const database = await connect(url)
    t.after(() => database.close())
    await database.run(sql`create or replace user guest@'%' identified by 'guest'
      with max_user_connections 1`)
    await database.run(sql`grant all on *.* to guest@'%'`)
    const guest = Object.assign(new URL(url), { username: 'guest', password: 'guest' }).href
    const only = await connect(guest)
    const error = await failureOf(connect(guest))
    assert.deepEqual([error.code, error.native], ['E_CONNECTION_LOST', '1226'])
    assert.match(error.message, /exceeded a resource limit/)
    await only.close()
    await database.run(sql`drop user guest@'%'`)
  })

  test('the log receives every statement, without its values', async (t) => {
    const heard: QueryEntry[] = []
    const database = await connect(await create(), { log: (entry) => heard.push(entry) })
    t.after(() => database.close())
    await database.run(sql`select ${secret}`)
    await assert.rejects(database.run(sql`select * from nowhere`))
    await Promise.all(
      database
        .pipeline({ sql: 'select 1', parameters: [] }, { sql: 'select 2', parameters: [] })
        .map((operation) => operation.settled()),
    )
    await database.transaction((transaction) => transaction.run(sql`select 3`))
    assert.deepEqual(
      heard.map(({ sql: text, rows, failure }) => [text, rows, failure]),
      [
        ['select ?', 1, null],
        ['select * from nowhere', 0, 'E_STATEMENT'],
        ['select 1', 1, null],
        ['select 2', 1, null],
        ['START TRANSACTION', 0, null],
        ['select 3', 1, null],
        ['COMMIT', 0, null],
      ],
    )
    assert.doesNotMatch(JSON.stringify(heard), /the-secret-value/)
  })

  test('the label has neither user nor password', async (t) => {
    const database = await open(t)
    const { port = 0 } = servers.mariadb ?? {}
    assert.match(database.label, new RegExp(`^mariadb://[^@]+:${port}/\\w+$`))
  })
})
