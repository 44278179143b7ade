import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callExpression } from './page-excerpt.ts'

/** The expression where the `|` stands. */
function at(text: string): string {
  const lines = text.split('\n')
  const line = lines.findIndex((part) => part.includes('|'))
  const column = (lines[line] ?? '').indexOf('|')
  return callExpression(text.replace('|', '').split('\n'), line + 1, column + 1)
}

test('a call is shown with its arguments as they are written', () => {
  assert.equal(at('  const user = |load(id, { deep: true }) ?? null'), 'load(id, { deep: true })')
})

test('a method is shown with what it belongs to', () => {
  assert.equal(at('return this.#db?.users.|find(id)'), 'this.#db?.users.find(id)')
  assert.equal(at('list().|map(String)'), 'map(String)')
})

test('throw, new and await expressions are shown in full', () => {
  assert.equal(at("  throw |new TypeError('no')"), "new TypeError('no')")
  assert.equal(at('  |await fetch(url)'), 'await fetch(url)')
})

test('brackets in texts do not end the arguments', () => {
  assert.equal(at(`|log("a)", 'b\\')', \`c)\`, (d)) + 1`), `log("a)", 'b\\')', \`c)\`, (d))`)
})

test('arguments over several lines become one line', () => {
  assert.equal(at('|load(\n  id,\n  [\n    1,\n  ],\n)\nother()'), 'load(id, [1])')
})

test('a property access without a call is shown in full', () => {
  assert.equal(at('  return user.address.|city.name + 1'), 'user.address.city.name')
})

test('it is at most 80 characters long, also when its end is out of sight', () => {
  const shown = at(`|load('${'x'.repeat(500)}')`)
  assert.equal(shown.length, 80)
  assert.ok(shown.endsWith('…'))
})

test('secrets in URLs are replaced', () => {
  assert.equal(at("|connect('redis://:planted@cache')"), "connect('redis://[redacted]@cache')")
})

test('a position without code, or outside the file, yields nothing', () => {
  assert.equal(at('a |+ b'), '')
  assert.equal(callExpression(['load()'], 1, 0), '')
  assert.equal(callExpression(['load()'], 1, 7), '')
  assert.equal(callExpression(['load()'], 2, 1), '')
  assert.equal(callExpression([], 1, 1), '')
})
