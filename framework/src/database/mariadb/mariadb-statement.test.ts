import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StatementBinder, mariadbBindings } from './mariadb-statement.ts'
import { InvalidArgumentException } from '../../base/errors.ts'

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

describe('values of parameters', () => {
  test('text, booleans and null are bound unchanged', () => {
    assert.deepEqual(mariadbBindings(['', "o'neil", true, false, null]), [
      '',
      "o'neil",
      true,
      false,
      null,
    ])
  })

  test('whole numbers are bound as integers, past 32 bits as bigint', () => {
    const numbers = [0, -(2 ** 31), 2 ** 31 - 2, 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 53 - 1]
    assert.deepEqual(mariadbBindings(numbers), [
      0,
      -2147483648,
      2147483646,
      2147483647n,
      -2147483649n,
      9007199254740991n,
    ])
  })

  test('other numbers are bound as doubles', () => {
    assert.deepEqual(mariadbBindings([0.1, 1e300, 2 ** 60]), [0.1, 1e300, 2 ** 60])
  })

  test('a bigint has 64 bits, with a sign or without', () => {
    const edges = [-(2n ** 63n), 2n ** 64n - 1n]
    assert.deepEqual(mariadbBindings(edges), edges)
    for (const beyond of [-(2n ** 63n) - 1n, 2n ** 64n]) {
      assert.throws(
        () => mariadbBindings([beyond]),
        refusal(/parameter 1 is a bigint of more than/),
      )
    }
  })

  test('a date is text in UTC with microseconds', () => {
    const date = new Date('2024-02-29T23:59:58.007Z')
    assert.deepEqual(mariadbBindings([date]), ['2024-02-29 23:59:58.007000'])
  })

  test('bytes become a buffer over the same memory', () => {
    const bytes = new Uint8Array([9, 1, 2, 9]).subarray(1, 3)
    const [bound] = mariadbBindings([bytes])
    assert.ok(Buffer.isBuffer(bound))
    assert.deepEqual([...bound], [1, 2])
  })

  test('what MariaDB cannot store is rejected before anything is sent', () => {
    const refused: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /parameter 2 is undefined; use null/],
      [Number.NaN, /parameter 2 is NaN/],
      [Infinity, /parameter 2 is Infinity/],
      [[1], /parameter 2 is a list/],
      [{ type: 'Point', coordinates: [1, 2] }, /parameter 2 is an object/],
      [{ toSqlString: () => '1' }, /parameter 2 is an object/],
      [() => 1, /parameter 2 is a function/],
      [Symbol('s'), /parameter 2 is a symbol/],
      [new Date(Number.NaN), /parameter 2 is a Date that is invalid/],
      [new Date(8.64e15), /outside the years 1 to 9999/],
    ]
    for (const [value, text] of refused) {
      assert.throws(() => mariadbBindings(['first', value]), refusal(text))
    }
  })
})

function refusal(text: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof InvalidArgumentException)
    assert.equal(error.code, 'E_INVALID_ARGUMENT')
    assert.match(error.message, text)
    return true
  }
}
