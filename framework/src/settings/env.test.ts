import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../base/errors.ts'
import { env } from './env.ts'
import type { Variable } from './variable.ts'

const meaning = 'for the test'

function parses<T>(variable: Variable<T>, good: [string, T][], bad: string[]): void {
  for (const [text, value] of good) assert.deepEqual(variable.parse(text), value, text)
  for (const text of bad) assert.equal(variable.parse(text), undefined, JSON.stringify(text))
}

test('a whole number is decimal digits within its bounds', () => {
  const variable = env.integer('N', { min: -5, max: 10, meaning })
  const good: [string, number][] = [
    ['10', 10],
    ['-5', -5],
    ['007', 7],
  ]
  parses(variable, good, [
    '11',
    '-6',
    '1.5',
    '1e1',
    '0x1',
    ' 1',
    '1 ',
    '',
    'ten',
    '9007199254740993',
  ])
  assert.equal(variable.expects, 'a whole number from -5 to 10')
})

test('a number may have decimals, and its bounds are named', () => {
  parses(env.number('N', { meaning }), [['-1.25', -1.25]], ['.5', '1.', 'Infinity', 'NaN', '1,5'])
  assert.equal(env.number('N', { min: 1, meaning }).expects, 'a number, 1 or more')
  assert.equal(env.number('N', { max: 2, meaning }).expects, 'a number, at most 2')
  assert.equal(env.number('N', { meaning }).expects, 'a number')
})

test('seconds are never negative', () => {
  parses(env.seconds('T', { meaning }), [['1.5', 1.5]], ['-1', '5s'])
  parses(env.seconds('T', { min: 2, meaning }), [['2', 2]], ['1.9'])
})

test('a port is 0 to 65535', () => {
  const good: [string, number][] = [
    ['0', 0],
    ['65535', 65_535],
  ]
  parses(env.port('P', { meaning }), good, ['65536', '-1', '80.0'])
})

test('on and off have four spellings each, in any case', () => {
  const on = ['1', 'true', 'yes', 'on', 'TRUE'].map((text): [string, boolean] => [text, true])
  const off = ['0', 'false', 'no', 'off', 'Off'].map((text): [string, boolean] => [text, false])
  parses(env.boolean('B', { meaning }), [...on, ...off], ['2', 'y', 'enabled', ' true'])
})

test('a URL is absolute, kept as written, and may be held to schemes', () => {
  const good: [string, string][] = [['HTTP://example.org:80', 'HTTP://example.org:80']]
  const variable = env.url('U', { schemes: ['http', 'https'], meaning })
  parses(variable, good, ['example.org', '/path', 'localhost:80', 'ftp://example.org', ''])
  assert.equal(variable.expects, 'a URL that begins with "http://" or "https://"')
  parses(env.url('U', { meaning }), [['sqlite:app.db', 'sqlite:app.db']], ['app.db'])
})

test('a choice is one of its words to the letter', () => {
  const variable = env.choice('C', ['red', 'green', 'blue'], { meaning })
  parses(variable, [['green', 'green']], ['Green', 'yellow', ''])
  assert.equal(variable.expects, '"red", "green" or "blue"')
})

test('a list leaves out the space around its items and empty ones', () => {
  parses(env.list('L', { meaning }), [[' a, b ,,c,', ['a', 'b', 'c']]], [])
})

test('a text is taken as it is', () => {
  parses(
    env.string('S', { meaning }),
    [
      ['', ''],
      [' x ', ' x '],
    ],
    [],
  )
})

test('an optional variable is null when it is not given and keeps everything else', () => {
  const required = env.integer('N', { min: 1, meaning, secret: true })
  const optional = env.optional(required)
  assert.equal(required.fallback, null)
  assert.deepEqual(optional, { ...required, fallback: { value: null } })
})

test('a name that no environment can hold is refused', () => {
  for (const name of ['', '1A', 'A-B', 'A B', 'A=B']) {
    assert.throws(() => env.string(name, { meaning }), InvalidArgumentException)
  }
})
