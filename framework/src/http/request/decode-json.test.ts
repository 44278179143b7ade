import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import * as fc from 'fast-check'
import { HttpError } from '../errors/http-error.ts'
import { decodeJson, decodeJsonObject } from './decode-json.ts'

const decode = (text: string, jsonDepth = 64, jsonValues = 20_000): unknown =>
  decodeJson(Buffer.from(text), { jsonDepth, jsonValues })
const decodeObject = (text: string): unknown =>
  decodeJsonObject(Buffer.from(text), { jsonDepth: 64, jsonValues: 20_000 })

const refusedWith =
  (message: RegExp, status = 400) =>
  (error: unknown) => {
    assert.ok(error instanceof HttpError)
    assert.equal(error.status, status)
    assert.match(error.message, message)
    return true
  }

const tooDeep = refusedWith(/^the request body is nested more than \d+ levels deep$/)
const tooMany = refusedWith(/^the request body holds more than \d+ JSON values$/, 413)
const noObject = refusedWith(/^the request body must be a JSON object$/)

/** The number of texts that were parsed until now. */
function countParsed(t: TestContext): () => number {
  const parse = t.mock.method(JSON, 'parse')
  return () => parse.mock.callCount()
}

test('a value nested 64 levels deep is taken, one level more is refused', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    [' [ {"a" :', '\n}\t]'],
  ] as const) {
    const levels = 64 / (open.includes('[ {') ? 2 : 1)
    const nested = (depth: number): string => open.repeat(depth) + '1' + close.repeat(depth)
    assert.ok(decode(nested(levels)))
    assert.throws(() => decode(nested(levels + 1)), tooDeep)
    assert.throws(() => decode(`[${nested(levels)}]`), tooDeep)
  }
})

test('only depth counts, not the number of lists and objects', () => {
  const wide = JSON.stringify(Array.from({ length: 1000 }, () => [{ a: [] }]))
  assert.deepEqual(decode(wide, 4), JSON.parse(wide))
  assert.throws(() => decode(wide, 3), tooDeep)
})

test('brackets in texts do not count, whatever is escaped', () => {
  for (const value of [
    '['.repeat(500),
    ['"{'.repeat(100), '\\'.repeat(99), { '[[[[': '\\"[[[['.repeat(50) }],
    'ü[['.repeat(200),
    ['\\', ['\\\\', ['\\"[[[[']]],
  ]) {
    assert.deepEqual(decode(JSON.stringify(value), 4), value)
  }
})

test('a megabyte of brackets is refused without being parsed', (t) => {
  const parsed = countParsed(t)
  assert.throws(() => decode('['.repeat(2 ** 20)), tooDeep)
  assert.throws(() => decode('{"a":'.repeat(2 ** 17)), tooDeep)
  assert.equal(parsed(), 0)
})

test('a value counts with everything in it, names of members do not', () => {
  for (const [text, values] of [
    ['7', 1],
    ['[]', 1],
    [' [ \n] ', 1],
    ['[1,1]', 3],
    ['[ [ ] , { } ,[[]]]', 5],
    ['{"a":1,"b":{"c":[null,true]}}', 6],
    ['["a,b","[1,2]","\\",1,1"]', 4],
  ] as const) {
    assert.deepEqual(decode(text, 64, values), JSON.parse(text))
    assert.throws(() => decode(text, 64, values - 1), tooMany)
  }
})

test('any value is taken with as many values as it has, and refused with one less', () => {
  const spaces = fc.constantFrom('', ' ', '\n\t')
  // Members of that name are dropped: see below.
  const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'))
  fc.assert(
    fc.property(values, spaces, (value, space) => {
      const text = JSON.stringify(value, null, space)
      assert.deepEqual(decode(text, 64, countValues(value)), JSON.parse(text))
      assert.throws(() => decode(text, 64, countValues(value) - 1), tooMany)
    }),
  )
})

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1)
}

test('a megabyte of values is refused without being parsed', (t) => {
  const parsed = countParsed(t)
  const list = (item: string): string => `[${`${item},`.repeat(2 ** 20 / (item.length + 1))}1]`
  for (const item of ['1', '[]', '{}', '""', '{"a":1}', '   1']) {
    assert.throws(() => decode(list(item)), tooMany)
  }
  assert.equal(parsed(), 0)
})

test('what is not JSON stays a 400, however deep', () => {
  for (const text of ['', '[', '"', '"\\', '['.repeat(64), ']'.repeat(300), '"'.repeat(301)]) {
    assert.throws(() => decode(text), refusedWith(/not valid JSON/))
  }
})

test('where an object is expected, any other value is refused without being parsed', (t) => {
  const parsed = countParsed(t)
  for (const text of [`"${'x'.repeat(2 ** 20)}"`, `[${'1,'.repeat(2 ** 19)}1]`, '[{}]', '7', '']) {
    assert.throws(() => decodeObject(text), noObject)
    assert.throws(() => decodeObject(` \r\n\t${text}`), noObject)
  }
  assert.equal(parsed(), 0)
  assert.deepEqual(decodeObject(' \r\n\t{"a":[1]}'), { a: [1] })
  assert.throws(() => decodeObject('{"a":'), refusedWith(/not valid JSON/))
  assert.throws(() => decodeObject('{"a":'.repeat(70)), tooDeep)
})

test('no spelling of __proto__ is kept as a member, at any depth', () => {
  for (const name of ['__proto__', '\\u005f_proto__', '__\\u0070roto_\\u005F']) {
    const value = decode(`{"a":[{"${name}":{"admin":true},"b":1}],"c":"\\u00e4"}`)
    assert.deepEqual(value, { a: [{ b: 1 }], c: 'ä' })
    assert.equal(JSON.stringify(value).includes('admin'), false)
  }
})
