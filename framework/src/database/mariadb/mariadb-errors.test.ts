import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DatabaseFailure } from '../database-error.ts'
import { connectError, endsSession, statementError } from './mariadb-errors.ts'

const marker = 'S3CRET'

interface Case {
  readonly errno: number
  readonly state?: string
  readonly words?: string
  readonly code: DatabaseFailure
  readonly constraint?: string
}

const cases: readonly Case[] = [
  {
    errno: 1062,
    state: '23000',
    words: `Duplicate entry '${marker}' for key 'users_email'`,
    code: 'E_DUPLICATE_KEY',
    constraint: 'users_email',
  },
  {
    errno: 1062,
    state: '23000',
    words: `Duplicate entry 'x' for key '${marker}' for key 'PRIMARY'`,
    code: 'E_DUPLICATE_KEY',
    constraint: 'PRIMARY',
  },
  { errno: 1062, words: `Duplicate entry '${marker} for key '${marker}`, code: 'E_DUPLICATE_KEY' },
  {
    errno: 1452,
    words:
      'Cannot add or update a child row: a foreign key constraint fails (`d`.`c`, CONSTRAINT `to_p` FOREIGN KEY (`p`) REFERENCES `p` (`id`))',
    code: 'E_FOREIGN_KEY',
    constraint: 'to_p',
  },
  {
    errno: 1451,
    words:
      'Cannot delete or update a parent row: a foreign key constraint fails (`d`.`c`, CONSTRAINT `to_p` FOREIGN KEY (`p`) REFERENCES `p` (`id`))',
    code: 'E_FOREIGN_KEY',
    constraint: 'to_p',
  },
  { errno: 1216, code: 'E_FOREIGN_KEY' },
  { errno: 1217, code: 'E_FOREIGN_KEY' },
  { errno: 1048, words: "Column 'name' cannot be null", code: 'E_NOT_NULL', constraint: 'name' },
  {
    errno: 1364,
    words: "Field 'name' doesn't have a default value",
    code: 'E_NOT_NULL',
    constraint: 'name',
  },
  {
    errno: 4025,
    words: 'CONSTRAINT `positive` failed for `d`.`t`',
    code: 'E_CHECK',
    constraint: 'positive',
  },
  {
    errno: 3819,
    words: "Check constraint 'positive' is violated.",
    code: 'E_CHECK',
    constraint: 'positive',
  },
  {
    errno: 1406,
    words: "Data too long for column 'name' at row 1",
    code: 'E_VALUE',
    constraint: 'name',
  },
  {
    errno: 1264,
    words: "Out of range value for column 'age' at row 1",
    code: 'E_VALUE',
    constraint: 'age',
  },
  {
    errno: 1265,
    words: "Data truncated for column 'kind' at row 1",
    code: 'E_VALUE',
    constraint: 'kind',
  },
  {
    errno: 1366,
    words: `Incorrect integer value: '${marker}\` at row 1' for column \`d\`.\`t\`.\`age\` at row 1`,
    code: 'E_VALUE',
    constraint: 'age',
  },
  { errno: 1292, words: `Truncated incorrect INTEGER value: '${marker}'`, code: 'E_VALUE' },
  { errno: 1367, words: `Illegal double '${marker}' value found during parsing`, code: 'E_VALUE' },
  { errno: 1139, state: '42000', words: `Got error '${marker}' from regexp`, code: 'E_VALUE' },
  { errno: 1153, state: '08S01', code: 'E_VALUE' },
  { errno: 9999, state: '22999', code: 'E_VALUE' },
  { errno: 1213, state: '40001', code: 'E_DEADLOCK' },
  {
    errno: 1020,
    words: `Record has changed since last read in table '${marker}'`,
    code: 'E_DEADLOCK',
  },
  { errno: 1205, code: 'E_DATABASE_BUSY' },
  { errno: 1969, state: '70100', code: 'E_STATEMENT_TIMEOUT' },
  { errno: 3024, code: 'E_STATEMENT_TIMEOUT' },
  { errno: 1317, state: '70100', code: 'E_STATEMENT_TIMEOUT' },
  { errno: 1927, state: '70100', code: 'E_CONNECTION_LOST' },
  { errno: 1053, state: '08S01', code: 'E_CONNECTION_LOST' },
  { errno: 1040, state: '08004', code: 'E_CONNECTION_LOST' },
  {
    errno: 1231,
    state: '42000',
    words: `Variable 'a' can't be set to the value of '${marker}'`,
    code: 'E_STATEMENT',
  },
  { errno: 3143, state: '42000', words: `Invalid path ${marker}`, code: 'E_STATEMENT' },
  { errno: 1644, state: '45000', words: `${marker} is not welcome`, code: 'E_DATABASE' },
  { errno: 1226, state: '42000', words: `User '${marker}' has exceeded`, code: 'E_DATABASE' },
  { errno: 1114, words: `The table '${marker}' is full`, code: 'E_DATABASE' },
]

describe('a failed statement', () => {
  for (const { errno, state = 'HY000', words = `about ${marker}`, code, constraint } of cases) {
    test(`with number ${errno} is ${code}: ${words}`, () => {
      const thrown = sqlError({ errno, sqlState: state, sqlMessage: words })
      const error = statementError(thrown, 'insert into t values (?)')
      assert.equal(error.code, code)
      assert.equal(error.constraint, constraint ?? null)
      assert.equal(error.native, String(errno))
      assertNoMarker(error)
    })
  }

  for (const name of [
    'ECONNRESET',
    'EPIPE',
    'ER_SOCKET_UNEXPECTED_CLOSE',
    'ER_CMD_CONNECTION_CLOSED',
  ]) {
    test(`by ${name} is a lost connection`, () => {
      const error = statementError(sqlError({ errno: -104, code: name }), 'select 1')
      assert.equal(error.code, 'E_CONNECTION_LOST')
      assert.equal(error.native, name)
      assertNoMarker(error)
    })
  }

  test('that the driver never sent leaves the connection usable', () => {
    const error = statementError(sqlError({ errno: 45_049, code: 'ER_UNDEFINED_SQL' }), '')
    assert.equal(error.code, 'E_STATEMENT')
    assert.equal(endsSession(error), false)
  })

  test('for an unknown reason reveals nothing about it', () => {
    const error = statementError(new TypeError(marker), 'select 1')
    assert.equal(error.code, 'E_DATABASE')
    assert.equal(error.native, null)
    assertNoMarker(error)
  })
})

describe('the message of MariaDB about a statement', () => {
  test('is repeated if it quotes the statement itself', () => {
    const words = "You have an error in your SQL syntax; check … near 'frm t where a = ?' at line 2"
    const error = statementError(
      sqlError({ errno: 1064, sqlState: '42000', sqlMessage: words }),
      'delete\nfrm t where a = ?',
    )
    assert.equal(
      error.message,
      "the database rejected the statement: wrong syntax near 'frm t where a = ?' at line 2",
    )
  })

  test('is shortened if a value was put into the text', () => {
    const words = `You have an error … near 'frm t where a = '${marker}'' at line 1`
    const error = statementError(
      sqlError({ errno: 1064, sqlState: '42000', sqlMessage: words }),
      'delete frm t where a = ?',
    )
    assert.equal(error.message, 'the database rejected the statement: wrong syntax')
  })

  test('is repeated for a table or column that the statement names', () => {
    const sql = 'select nothing from Posts'
    const said = (errno: number, sqlMessage: string): string =>
      statementError(sqlError({ errno, sqlState: '42S02', sqlMessage }), sql).message
    assert.match(said(1146, "Table 'd.posts' doesn't exist"), /Table 'd\.posts' doesn't exist$/)
    assert.match(said(1054, "Unknown column 'nothing' in 'SELECT'"), /'nothing' in 'SELECT'$/)
  })

  test('is left out if it names anything that is not in the statement', () => {
    const error = statementError(
      sqlError({ errno: 1146, sqlState: '42S02', sqlMessage: `Table 'd.${marker}' doesn't exist` }),
      'execute immediate concat(?)',
    )
    assert.equal(error.message, 'the database rejected the statement: error 1146')
  })
})

test('the server closes the connection after it was lost and after an oversized packet', () => {
  const ends = (errno: number, sqlState: string): boolean =>
    endsSession(statementError(sqlError({ errno, sqlState }), ''))
  assert.equal(ends(1927, '70100'), true)
  assert.equal(ends(1153, '08S01'), true)
  assert.equal(ends(1969, '70100'), false)
  assert.equal(ends(1062, '23000'), false)
})

/** As the driver throws them: its message contains the statement with its values. */
function sqlError(fields: Readonly<Record<string, unknown>>): Error {
  return Object.assign(new Error(`(conn:1) … sql: insert … - parameters:['${marker}']`), {
    sql: `insert into t values ('${marker}')`,
    ...fields,
  })
}

function assertNoMarker(error: Error): void {
  const told = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join('\n')
  assert.ok(!told.includes(marker), told)
}

const label = 'mariadb://db.example:3306/shop'

describe('a connection that failed', () => {
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, string, string])[] = [
    [{ errno: 1045, sqlState: '28000' }, '1045', 'the server rejected the user or the password'],
    [{ errno: 1049, sqlState: '42000' }, '1049', 'the server has no database with that name'],
    [
      { errno: 1040, sqlState: '08004' },
      '1040',
      'the server accepts no more connections; lower pool= or raise its max_connections',
    ],
    [{ errno: -111, code: 'ECONNREFUSED' }, 'ECONNREFUSED', 'nothing is listening there'],
    [
      { errno: 45_012, code: 'ER_CONNECTION_TIMEOUT' },
      'ER_CONNECTION_TIMEOUT',
      'it did not answer within connect_timeout',
    ],
    [
      { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    [
      { errno: 45_059, code: 'ER_TLS_IDENTITY_ERROR' },
      'ER_TLS_IDENTITY_ERROR',
      'its certificate is not trusted (ER_TLS_IDENTITY_ERROR)',
    ],
    [{ errno: 1862, sqlState: 'HY000' }, '1862', '1862'],
  ]
  for (const [fields, native, reason] of cases) {
    test(`for ${native} says why, without user and password`, () => {
      const error = connectError(
        Object.assign(new Error("for user 'root' with hunter2"), fields),
        label,
      )
      assert.equal(error.code, 'E_CONNECTION_LOST')
      assert.equal(error.native, native)
      assert.equal(error.message, `no connection to ${label}: ${reason}`)
    })
  }

  test('without any code was closed before it was ready', () => {
    assert.match(connectError(new Error('hunter2'), label).message, /closed before it was ready$/)
  })
})
