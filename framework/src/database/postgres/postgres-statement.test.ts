import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatementNames, bindStatement } from './postgres-statement.ts'
import { InvalidArgumentException } from '../../base/errors.ts'

test('each text has its own short name', () => {
  const names = new StatementNames()
  const [one, other] = [names.nameOf('select 1'), names.nameOf('select 2')]
  assert.match(String(one), /^\w{2,8}$/)
  assert.notEqual(one, other)
  assert.equal(names.nameOf('select 1'), one)
})

test('a long text has a name when it comes again, and sixteen of them at most', () => {
  const names = new StatementNames()
  const long = (index: number, length = 20_000): string =>
    `insert into a${index} values ${'(?)'.repeat(length / 3)}`
  const indexes = Array.from({ length: 16 }, (_, index) => index)
  for (const index of indexes) assert.equal(names.nameOf(long(index)), null)
  for (const index of indexes) assert.notEqual(names.nameOf(long(index)), null)
  for (const sql of [long(16), long(17, 100_000)]) {
    for (const time of ['once', 'again']) assert.equal(names.nameOf(sql), null, time)
  }
  assert.equal(names.nameOf(long(0)), names.nameOf(long(0)))
})

test('only statements that are likely to be repeated have a name', () => {
  const names = new StatementNames()
  for (const sql of [
    ' SELECT 1',
    'insert into a',
    'update a',
    'delete from a',
    'with a',
    'values (1)',
  ]) {
    assert.notEqual(names.nameOf(sql), null, sql)
  }
  for (const sql of [
    'create table a',
    'SAVEPOINT a',
    'selection',
    `select '${'a'.repeat(10_000)}'`,
  ]) {
    assert.equal(names.nameOf(sql), null, sql.slice(0, 20))
  }
})

test('there are at most 500 names, and the first ones stay', () => {
  const names = new StatementNames()
  const first = names.nameOf('select 0')
  for (let index = 1; index < 500; index += 1)
    assert.notEqual(names.nameOf(`select ${index}`), null)
  assert.equal(names.nameOf('select 500'), null)
  assert.equal(names.nameOf('select 0'), first)
})

test('a name is renewed once, however many connections report the old one', () => {
  const names = new StatementNames()
  const old = names.nameOf('select 1') ?? ''
  names.renew('select 1', old)
  const renewed = names.nameOf('select 1')
  assert.notEqual(renewed, old)
  names.renew('select 1', old)
  assert.equal(names.nameOf('select 1'), renewed)
})

test('a text whose name is lost repeatedly stays unnamed', () => {
  const names = new StatementNames()
  const seen = new Set<string | null>()
  for (let index = 0; index < 6; index += 1) {
    const name = names.nameOf('select 1')
    seen.add(name)
    names.renewForgotten('select 1', name ?? '')
  }
  assert.equal(seen.size, 5)
  assert.equal(names.nameOf('select 1'), null)
})

test('a text whose tables change often keeps a name', () => {
  const names = new StatementNames()
  for (let index = 0; index < 6; index += 1) names.renew('select 1', names.nameOf('select 1') ?? '')
  assert.equal(names.nameOf('select 1'), 'f7')
})

function bound(...parameters: unknown[]): readonly unknown[] {
  return bindStatement({ sql: 'select $1', parameters }).values
}

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof InvalidArgumentException)
    assert.equal(error.code, 'E_INVALID_ARGUMENT')
    return error.message
  }
  return assert.fail('nothing was refused')
}

test('values are sent as text, NULL or bytes', () => {
  assert.deepEqual(bound('', 'a', 1.5, -7, 2n ** 63n, true, false, null), [
    '',
    'a',
    '1.5',
    '-7',
    '9223372036854775808',
    'true',
    'false',
    null,
  ])
  assert.deepEqual(bound(1e21, Infinity, NaN), ['1e+21', 'Infinity', 'NaN'])
})

test('a date is text in UTC with six digits of the second', () => {
  assert.deepEqual(bound(new Date(1_700_000_000_007)), ['2023-11-14 22:13:20.007000'])
})

test('bytes are exactly those of the view, not of the memory behind it', () => {
  const memory = Uint8Array.from([9, 1, 2, 9])
  assert.deepEqual(bound(memory.subarray(1, 3)), [Buffer.from([1, 2])])
})

test('an invalid parameter is rejected by its number, without being shown', () => {
  const secret = 'a secret'
  assert.match(
    refusal(() => bound(1, undefined)),
    /^parameter 2 is undefined; use null/,
  )
  assert.match(
    refusal(() => bound([secret])),
    /^parameter 1 is a list/,
  )
  for (const value of [{ secret }, () => secret, Symbol(secret), new Date(Number.NaN)]) {
    assert.doesNotMatch(
      refusal(() => bound(value)),
      /secret/,
    )
  }
  assert.match(
    refusal(() => bound(new Date(8.64e15))),
    /outside the years 1 to 9999/,
  )
  assert.match(
    refusal(() => bound(new Date(-1e15))),
    /outside the years 1 to 9999/,
  )
})

test('a statement with a NUL or with too many values is rejected', () => {
  assert.match(
    refusal(() => bindStatement({ sql: 'select \0', parameters: [] })),
    /NUL/,
  )
  const values = Array.from({ length: 65_536 }, () => 1)
  assert.match(
    refusal(() => bound(...values)),
    /has 65536 values, PostgreSQL allows 65535/,
  )
  assert.equal(bound(...values.slice(1)).length, 65_535)
})

test('raw is passed on, and off by default', () => {
  assert.equal(bindStatement({ sql: 'select 1', parameters: [] }).raw, false)
  assert.equal(bindStatement({ sql: 'select 1', parameters: [], raw: true }).raw, true)
})
