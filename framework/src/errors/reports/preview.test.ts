import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxPreviewLength, previewOf, propertiesOf } from './preview.ts'

test('a preview is one line of at most 80 characters, whatever the value', () => {
  assert.equal(maxPreviewLength, 80)
  const round: Record<string, unknown> = { a: 1 }
  round['self'] = round
  const values = [
    'x'.repeat(1_000_000),
    'a\nb\nc',
    Array.from({ length: 10_000 }, (_, at) => at),
    Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`key${at}`, 'v'.repeat(100)])),
    new Map([[{}, 'x'.repeat(500)]]),
    Buffer.alloc(1_000_000),
    new Error('m'.repeat(1_000)),
    Symbol('s'.repeat(500)),
    10n ** 200n,
    round,
    () => 'x'.repeat(500),
    undefined,
    null,
  ]
  for (const value of values) {
    const preview = previewOf(value)
    assert.ok(preview.length <= maxPreviewLength, `${preview.length}: ${preview}`)
    assert.equal(preview.includes('\n'), false)
  }
})

test('a preview shows values as they would be written', () => {
  assert.equal(previewOf('it'), "'it'")
  assert.equal(previewOf({ id: 7, tags: ['a'] }), "{ id: 7, tags: [ 'a' ] }")
  assert.equal(previewOf(null), 'null')
})

test('a preview hides secrets, also inside of URLs', () => {
  assert.equal(previewOf({ password: 'planted', id: 1 }).includes('planted'), false)
  assert.equal(previewOf('postgres://ada:planted@db/x').includes('planted'), false)
})

test('a value that cannot be looked at has a preview all the same', () => {
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no')
      },
    },
  )
  assert.equal(previewOf(hostile), "'[unreadable]'")
})

test('the properties of an error exclude those that every error has', () => {
  const error = Object.assign(new Error('x'), { code: 'E_GONE', errno: -2 })
  assert.deepEqual(propertiesOf(error), [
    { name: 'code', preview: "'E_GONE'" },
    { name: 'errno', preview: '-2' },
  ])
  assert.deepEqual(propertiesOf(new AggregateError([new Error('y')])), [])
})

test('a cause is a property only when it is not an error', () => {
  assert.deepEqual(propertiesOf(new Error('x', { cause: new Error('y') })), [])
  assert.deepEqual(propertiesOf(new Error('x', { cause: 'why' })), [
    { name: 'cause', preview: "'why'" },
  ])
})

test('a property with a secret name is hidden', () => {
  const error = Object.assign(new Error('x'), { apiKey: 'planted', dbPassword: 'planted' })
  assert.deepEqual(
    propertiesOf(error).map(({ preview }) => preview),
    ['[redacted]', '[redacted]'],
  )
})

test('a throwing getter is shown as unreadable', () => {
  const error = Object.defineProperty(new Error('x'), 'odd', {
    get: () => {
      throw new Error('no')
    },
  })
  assert.deepEqual(propertiesOf(error), [{ name: 'odd', preview: '[unreadable]' }])
})

test('there are at most thirty properties, and their names are bounded', () => {
  const many = Array.from({ length: 100 }, (_, at) => [`${'n'.repeat(500)}${at}`, at])
  const properties = propertiesOf(Object.assign(new Error('x'), Object.fromEntries(many)))
  assert.equal(properties.length, 30)
  assert.ok(properties.every(({ name }) => name.length <= maxPreviewLength))
})
