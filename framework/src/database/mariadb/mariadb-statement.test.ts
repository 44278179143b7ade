import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StatementBinder } from './mariadb-statement.ts'

const binder = new StatementBinder(true)

describe('binding a query', () => {
  test('a statement about rows is prepared, one about the session is not', () => {
    assert.equal(binder.bind({ sql: 'select 1', parameters: [] }).isPrepared, true)
    assert.equal(binder.bind({ sql: 'COMMIT', parameters: [] }).isPrepared, false)
  })

  test('a statement with values is always prepared', () => {
    assert.equal(binder.bind({ sql: 'set @a = ?', parameters: [1] }).isPrepared, true)
  })

  test('with prepare=off none is prepared', () => {
    const off = new StatementBinder(false)
    assert.equal(off.bind({ sql: 'select ?', parameters: [1] }).isPrepared, false)
  })

  test('raw is passed on, and off by default', () => {
    assert.equal(binder.bind({ sql: 'select 1', parameters: [], raw: true }).raw, true)
    assert.equal(binder.bind({ sql: 'select 1', parameters: [] }).raw, false)
  })

  test('a wrong number of values is rejected without showing them', () => {
    for (const parameters of [['marker'], ['marker', 'marker', 'marker']]) {
      assert.throws(() => binder.bind({ sql: 'select ?, ?', parameters }), {
        name: 'InvalidArgumentException',
        code: 'E_INVALID_ARGUMENT',
        message: `the statement has 2 placeholders, got ${parameters.length} parameters`,
      })
    }
  })

  test('more values than the protocol allows are rejected', () => {
    const parameters = Array.from({ length: 65_536 }, () => 1)
    const sql = `select ${parameters.map(() => '?').join()}`
    assert.throws(() => binder.bind({ sql, parameters }), /MariaDB allows 65535; split it/)
  })

  test('thousands of texts are bound correctly, long after the cache has been cleared', () => {
    for (let index = 0; index < 2_500; index++) {
      const sql = `select ${index}${', ?'.repeat(index % 3)}`
      const parameters = Array.from({ length: index % 3 }, () => 1)
      assert.equal(binder.bind({ sql, parameters }).values.length, index % 3)
    }
  })
})
