import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decodeData,
  emptyData,
  encodeData,
  frozen,
  isEmpty,
  sessionValue,
  KeyChanges,
} from './session-data.ts'

test('data comes back from its text', () => {
  const data = { values: { a: [1, null] }, flash: { b: 'é' } }
  assert.deepEqual(decodeData(encodeData(data)), data)
  assert.equal(isEmpty(data), false)
  assert.equal(isEmpty(emptyData), true)
})

for (const text of ['', 'null', '[]', '{}', '{"values":{}}', '{"values":[],"flash":{}}', '{"a"']) {
  test(`a text that is ${text === '' ? 'empty' : text} is no session`, () => {
    assert.equal(decodeData(text), null)
  })
}

test('values that fit one by one may be too large together; the largest is named', () => {
  const data = {
    values: { small: 1, cart: 'x'.repeat(40_000) },
    flash: { old: 'y'.repeat(30_000) },
  }
  assert.throws(() => encodeData(data), { code: 'E_SESSION_SIZE', message: /most of it "cart"/ })
})

class Point {
  x = 1
  y = 2
}

for (const value of [
  null,
  true,
  '',
  'text é 😀 \0',
  0,
  -1.5,
  [],
  {},
  [1, [null, { a: ['b'] }]],
  { a: { b: { c: [] } } },
]) {
  test(`${JSON.stringify(value)} is kept as it is`, () => {
    assert.deepEqual(sessionValue('key', value), value)
  })
}

test('an object of a class is kept as its properties', () => {
  assert.deepEqual(sessionValue('key', new Point()), { x: 1, y: 2 })
})

test('a property that is undefined is left out', () => {
  assert.deepEqual(sessionValue('key', { a: 1, b: undefined }), { a: 1 })
})

const circle: unknown[] = []
circle.push({ circle })

for (const [value, words] of [
  [undefined, '"cart" is Undefined'],
  [Number.NaN, '"cart" is NaN'],
  [{ price: [1, Infinity] }, '"cart".price.1 is Infinity'],
  [[undefined], '"cart".0 is Undefined'],
  // oxlint-disable-next-line no-sparse-arrays
  [[1, , 3], '"cart".1 is Undefined'],
  [() => 1, '"cart" is Function'],
  [{ make: () => 1 }, '"cart".make is Function'],
  [Symbol('s'), '"cart" is Symbol'],
  [{ at: new Date(0) }, '"cart".at is Date'],
  [new Map([[1, 2]]), '"cart" is Map'],
  [new Set([1]), '"cart" is Set'],
  [/a/, '"cart" is RegExp'],
  [new Error('secret'), '"cart" is Error'],
  [new URL('https://a.example/secret'), '"cart" is URL'],
  [Buffer.from('secret'), '"cart" is Uint8Array'],
  [{ toJSON: () => 'secret' }, '"cart" is Object'],
  [7n, '"cart" contains itself or a bigint'],
  [circle, '"cart" contains itself or a bigint'],
] as const) {
  test(`${words}: rejected, and the message does not quote the value`, () => {
    assert.throws(
      () => sessionValue('cart', value),
      (error) => {
        assert.ok(error instanceof Error && 'code' in error)
        assert.equal(error.code, 'E_SESSION_VALUE')
        assert.ok(error.message.startsWith(`${words};`), error.message)
        assert.doesNotMatch(error.message, /secret/)
        return true
      },
    )
  })
}

test('64 KiB of JSON are accepted, one byte more is rejected', () => {
  assert.equal(sessionValue('key', 'x'.repeat(65_534)), 'x'.repeat(65_534))
  assert.throws(() => sessionValue('key', 'x'.repeat(65_535)), {
    code: 'E_SESSION_SIZE',
    message: /"key" takes 65537 bytes of JSON, but a session holds at most 65536;/,
  })
  assert.throws(() => sessionValue('key', 'é'.repeat(40_000)), { code: 'E_SESSION_SIZE' })
})

test('a copy is kept: later changes of the value have no effect', () => {
  const list = [{ a: 1 }]
  const kept = sessionValue('key', list)
  list[0] = { a: 2 }
  assert.deepEqual(kept, [{ a: 1 }])
})

test('values are deeply frozen', () => {
  const value = frozen({ list: [{ a: 1 }] })
  assert.throws(() => {
    const { list } = Object(value)
    list[0].a = 2
  }, TypeError)
  assert.equal(Object.isFrozen(sessionValue('key', { a: 1 })), true)
})

test('without changes the values are the same object', () => {
  const values = { a: 1 }
  const changes = new KeyChanges()
  assert.equal(changes.isEmpty, true)
  assert.equal(changes.apply(values), values)
  assert.equal(changes.find('a'), null)
})

test('changes are applied to values that others have changed in the meantime', () => {
  const changes = new KeyChanges()
  changes.set('a', 1)
  changes.delete('b')
  assert.deepEqual(changes.apply({ b: 2, c: 3 }), { a: 1, c: 3 })
  assert.deepEqual(changes.apply({ a: 0, b: 2, d: 4 }), { a: 1, d: 4 })
  assert.deepEqual([changes.find('a')?.value, changes.find('b')?.present], [1, false])
})

test('deleting a missing key changes nothing', () => {
  const values = { a: 1 }
  const changes = new KeyChanges()
  changes.delete('b')
  assert.equal(changes.apply(values), values)
})

test('the last change of a key counts', () => {
  const changes = new KeyChanges()
  changes.set('a', 1)
  changes.delete('a')
  changes.delete('b')
  changes.set('b', 2)
  assert.deepEqual(changes.apply({ a: 0 }), { b: 2 })
})

test('clear deletes stored values and earlier changes, not later ones', () => {
  const changes = new KeyChanges()
  changes.set('a', 1)
  changes.clear()
  changes.set('b', 2)
  assert.deepEqual(changes.apply({ c: 3 }), { b: 2 })
  assert.deepEqual([changes.find('a')?.present, changes.find('z')?.present], [false, false])
  const values = {}
  const cleared = new KeyChanges()
  cleared.clear()
  assert.equal(cleared.apply(values), values)
})

test('a key may have any name', () => {
  const changes = new KeyChanges()
  changes.set('__proto__', { a: 1 })
  changes.set('constructor', 2)
  const after = changes.apply({})
  assert.equal(JSON.stringify(after), '{"__proto__":{"a":1},"constructor":2}')
  assert.equal(Object.getPrototypeOf(after), Object.prototype)
})
