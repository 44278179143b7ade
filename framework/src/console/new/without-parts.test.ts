import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutParts } from './without-parts.ts'

const known = new Set(['items', 'accounts', 'mail-preview'])

function make(lines: readonly string[], ...left: string[]): readonly string[] {
  return withoutParts(lines.join('\n'), new Set(left), known).split('\n')
}

const module = [
  `import { Home } from './home.ts'`,
  `import { Items } from './items.ts' // part: items`,
  '',
  'export const manifest = [',
  '  Home,',
  '  Items, // part: items',
  ']',
]

test('a line of a part that is left out goes, every other one stays', () => {
  assert.deepEqual(make(module, 'items', 'accounts'), [
    `import { Home } from './home.ts'`,
    '',
    'export const manifest = [',
    '  Home,',
    ']',
  ])
})

test('of a part that stays only its marks go', () => {
  assert.deepEqual(
    make(module, 'accounts'),
    module.map((line) => line.replace(' // part: items', '')),
  )
  assert.deepEqual(make(['a', '  // part: items', '  b', '  // end: items', 'c']), [
    'a',
    '  b',
    'c',
  ])
})

test('a block goes whole, in every kind of comment that the scaffold has', () => {
  for (const [begin, end] of [
    ['// part: items', '// end: items'],
    ['  # part: items', '  # end: items'],
    ['<!-- part: items -->', '<!-- end: items -->'],
    ['/* part: items */', '/* end: items */'],
    ['<% /* part: items */ %>', '<% /* end: items */ %>'],
  ]) {
    assert.deepEqual(make(['a', begin ?? '', 'b', 'c', end ?? '', 'd'], 'items'), ['a', 'd'])
  }
})

test('where a block went one blank line stays, not two', () => {
  const text = ['a', '', '# part: items', 'b', '# end: items', '', 'c', '']
  assert.deepEqual(make(text, 'items'), ['a', '', 'c', ''])
  assert.deepEqual(make(['a', '', '', 'b']), ['a', '', '', 'b'])
})

test('a block inside another one goes with it, and alone when only its own part goes', () => {
  const text = [
    '// part: accounts',
    'a',
    '// part: items',
    'b',
    '// end: items',
    '// end: accounts',
  ]
  assert.deepEqual(make(text, 'items'), ['a'])
  assert.deepEqual(make(text, 'accounts'), [''])
})

test('what belongs to several parts stays as long as one of them does', () => {
  const text = ['a', 'b // part: items, mail-preview']
  assert.deepEqual(make(text, 'items'), ['a', 'b'])
  assert.deepEqual(make(text, 'items', 'mail-preview'), ['a'])
})

test('words that only look like a mark are left alone', () => {
  const text = [
    '// the best part: items',
    'const part = 1 // part: of it all',
    'part: items',
    '# Part: x',
  ]
  assert.deepEqual(make(text, 'items'), text)
})

test('a mark that names no part, and a block that is not closed as it was opened, are errors', () => {
  for (const [text, message] of [
    ['a // part: itmes', /unknown part "itmes"/],
    ['// part: items\na', /"part: items" is never closed/],
    ['a\n// end: items', /"end: items" closes nothing/],
    ['// part: items\n// end: accounts', /"end: accounts" closes "items"/],
  ] as const) {
    assert.throws(() => make([text]), { code: 'E_NEW', message })
  }
})
