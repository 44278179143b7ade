import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sectionsOf } from './page-context.ts'

test('a record is a section with a row for each of its members', () => {
  assert.deepEqual(sectionsOf({ Query: { page: '2', all: true }, Empty: {} }), [
    {
      title: 'Query',
      rows: [
        { name: 'page', value: '2' },
        { name: 'all', value: 'true' },
      ],
    },
    { title: 'Empty', rows: [] },
  ])
  const bare: object = Object.assign(Object.create(null), { a: 1 })
  assert.deepEqual(sectionsOf({ Bare: bare })[0]?.title, 'Bare')
})

test('anything but a plain object is a row of the last section, "Context"', () => {
  const sections = sectionsOf({ user: 7, tags: ['a', 'b'], Query: {}, at: new Date(0), none: null })
  assert.deepEqual(sections, [
    { title: 'Query', rows: [] },
    {
      title: 'Context',
      rows: [
        { name: 'user', value: '7' },
        { name: 'tags', value: '["a","b"]' },
        { name: 'at', value: '1970-01-01T00:00:00.000Z' },
        { name: 'none', value: 'null' },
      ],
    },
  ])
})

test('values under secret names are redacted everywhere', () => {
  const sections = sectionsOf({
    Headers: { authorization: 'planted', 'x-api-key': 'planted', deep: { password: 'planted' } },
    Query: { code: 'planted', jwt: 'planted', sid: 'planted', 'X-Auth': 'planted' },
    password: 'planted',
    Links: { to: 'https://ada:planted@host/', 'http://u:planted@h/': 1 },
    'http://u:planted@h/': {},
  })
  assert.equal(JSON.stringify(sections).includes('planted'), false)
})

test('under a secret title all values are redacted and names are kept', () => {
  assert.deepEqual(sectionsOf({ Cookies: { theme: 'dark', deep: { a: 1 } } }), [
    {
      title: 'Cookies',
      rows: [
        { name: 'theme', value: '[redacted]' },
        { name: 'deep', value: '[redacted]' },
      ],
    },
  ])
})

test('a short value is one line, a longer one is laid out', () => {
  const [section] = sectionsOf({ A: { short: { a: [1] }, long: { a: 'x'.repeat(80) } } })
  assert.equal(section?.rows[0]?.value, '{"a":[1]}')
  assert.equal(section?.rows[1]?.value, `{\n  "a": "${'x'.repeat(80)}"\n}`)
})

test('everything is bounded: values, names, sections and all of it together', () => {
  const [long] = sectionsOf({ A: { ['n'.repeat(9_000)]: 'x'.repeat(9_000) } })
  assert.match(long?.rows[0]?.value ?? '', /^x{2000}… \(/)
  assert.ok((long?.rows[0]?.name.length ?? 0) < 300)
  const wide = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`k${at}`, 'v'.repeat(5_000)]),
  )
  const all = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`Section ${at}`, wide]))
  const sections = sectionsOf(all)
  assert.equal(sections.length, 40)
  assert.ok(JSON.stringify(sections).length < 500_000)
})

test('an unreadable value is a row like any other', () => {
  const throwing = (): never => {
    throw new Error('no')
  }
  const hostile = new Proxy({}, { ownKeys: throwing })
  assert.deepEqual(sectionsOf(hostile), [])
  assert.deepEqual(
    sectionsOf(Object.defineProperty({}, 'a', { enumerable: true, get: throwing })),
    [{ title: 'Context', rows: [{ name: 'a', value: '[unreadable]' }] }],
  )
  assert.deepEqual(sectionsOf({ Odd: hostile }), [
    { title: 'Context', rows: [{ name: 'Odd', value: '[unreadable]' }] },
  ])
})
