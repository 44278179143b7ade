import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePattern, shapeOf } from './route-pattern.ts'

test('a pattern is text, parameters, constrained parameters and a catch-all', () => {
  const [form] = parsePattern('/users/:id<int>/files/*path').forms
  assert.deepEqual(
    form?.map((segment) => segment.kind),
    ['static', 'param', 'static', 'rest'],
  )
})

test('an optional end gives the pattern a variant without it', () => {
  const { forms } = parsePattern('/posts/:year?/:month?')
  assert.deepEqual(forms.map(shapeOf), ['/posts', '/posts/:', '/posts/:/:'])
})

test('parameter names do not make two shapes, constraints do', () => {
  const shape = (text: string): string => shapeOf(parsePattern(text).forms[0] ?? [])
  assert.equal(shape('/users/:id'), shape('/users/:name'))
  assert.notEqual(shape('/users/:id'), shape('/users/:id<int>'))
})

test('text beyond ASCII matches as browsers send it', () => {
  assert.equal(shapeOf(parsePattern('/über').forms[0] ?? []), '/%C3%BCber')
})

for (const [text, why] of [
  ['users', 'must start'],
  ['/users/', 'must not end'],
  ['/a//b', 'empty segment'],
  ['/a/:x?/b', 'only the end'],
  ['/a/*rest/b', 'nothing may follow'],
  ['/:id/:id', 'is used twice'],
  ['/a:b', 'neither text'],
  ['/a?b', 'neither text'],
  ['/:id<(>', 'regular expression'],
  ['/100%', 'begins no encoded character'],
] as const) {
  test(`the pattern ${text} is refused and the error says why`, () => {
    assert.throws(() => parsePattern(text), { code: 'E_ROUTE_PATTERN', message: new RegExp(why) })
  })
}
