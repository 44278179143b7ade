import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChanges } from './list-state.ts'

test('what is new is read, and anything else is none', () => {
  const row = { number: 5, href: '/inspect/5', tone: 'bad', subject: 'GET /', status: '500' }
  assert.deepEqual(readChanges({ change: 7, isWhole: true, rows: [row, null, { number: 'x' }] }), {
    change: 7,
    isWhole: true,
    rows: [
      {
        number: 5,
        href: '/inspect/5',
        tone: 'bad',
        texts: { number: '5', href: '/inspect/5', tone: 'bad', subject: 'GET /', status: '500' },
      },
    ],
  })
  for (const document of [null, 'x', {}, { change: 'x', rows: [] }, { change: 1 }]) {
    assert.equal(readChanges(document), null)
  }
})
