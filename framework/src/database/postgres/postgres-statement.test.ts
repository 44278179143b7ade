import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatementNames } from './postgres-statement.ts'

test('each text has its own short name', () => {
  const names = new StatementNames()
  const [one, other] = [names.nameOf('select 1'), names.nameOf('select 2')]
  assert.match(String(one), /^\w{2,8}$/)
  assert.notEqual(one, other)
  assert.equal(names.nameOf('select 1'), one)
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
