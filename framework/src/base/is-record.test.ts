import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMessage } from './is-record.ts'

interface Drain {
  readonly type: 'framework:drain'
}

test('a message is known by its type, and nothing else is mistaken for one', () => {
  assert.equal(isMessage<Drain>({ type: 'framework:drain' }, 'framework:drain'), true)
  for (const other of [null, 'framework:drain', {}, { type: 'framework:other' }]) {
    assert.equal(isMessage<Drain>(other, 'framework:drain'), false)
  }
})
