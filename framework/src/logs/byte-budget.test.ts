import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteBudget, fitting } from './byte-budget.ts'

test('a text is cut so that its JSON fits, and never in the middle of a character', () => {
  assert.equal(fitting('short', 7), 'short')
  assert.equal(fitting('x'.repeat(50), 20), `${'x'.repeat(15)}…`)
  for (const sign of ['x', '\u0001', 'é', '😀', '"', '\ud83d']) {
    for (let max = 12; max < 60; max += 1) {
      const shown = fitting(sign.repeat(100), max)
      assert.ok(Buffer.byteLength(JSON.stringify(shown)) <= max, `${sign} ${max}`)
      assert.ok(shown.endsWith('…') && shown.isWellFormed())
    }
  }
})

test('items are taken from the front while there is budget', () => {
  const budget = new ByteBudget(20)
  assert.deepEqual(budget.items(['aaaa', 'bbbb', 'cccc']), ['aaaa', 'bbbb'])
  assert.equal(budget.takes('cc'), true)
  assert.equal(budget.takes(''), false)
})

test('fields are cut or left out, and those that fit stay', () => {
  const budget = new ByteBudget(1_000)
  const fields = { a: 1, long: 'x'.repeat(100), list: Array.from({ length: 99 }, () => 1), b: 2 }
  const shown = budget.fields(fields, 100)
  assert.deepEqual(Object.keys(shown), ['a', 'long', 'b'])
  assert.ok(Buffer.byteLength(JSON.stringify(shown)) <= 100)
})

test('with infinite budget nothing is left out, but texts and fields keep their own limits', () => {
  const endless = new ByteBudget(Infinity)
  const fields = { long: 'x'.repeat(2_000), odd: '\u0000'.repeat(60), last: 'y' }
  assert.equal(endless.text('x'.repeat(200), 100), new ByteBudget(1_000).text('x'.repeat(200), 100))
  assert.deepEqual(endless.fields(fields, 500), new ByteBudget(1_000).fields(fields, 500))
  const short = { request: 'r1', peer: '203.0.113.9' }
  assert.deepEqual(endless.fields(short, 500), short)
  assert.equal(endless.items(Array.from({ length: 1_000 }, () => 'text')).length, 1_000)
})
