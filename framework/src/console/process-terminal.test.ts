import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wantsColor } from './process-terminal.ts'

test('a screen is coloured and anything else is not', () => {
  assert.equal(wantsColor({}, true), true)
  assert.equal(wantsColor({}, false), false)
  assert.equal(wantsColor({ TERM: 'dumb' }, true), false)
})

test('NO_COLOR turns colours off, unless it is empty', () => {
  assert.equal(wantsColor({ NO_COLOR: '1' }, true), false)
  assert.equal(wantsColor({ NO_COLOR: '1', FORCE_COLOR: '1' }, true), false)
  assert.equal(wantsColor({ NO_COLOR: '' }, true), true)
})

test('FORCE_COLOR decides where there is no screen, and 0 turns colour off', () => {
  assert.equal(wantsColor({ FORCE_COLOR: '1' }, false), true)
  assert.equal(wantsColor({ FORCE_COLOR: '' }, false), true)
  assert.equal(wantsColor({ FORCE_COLOR: '0' }, true), false)
  assert.equal(wantsColor({ FORCE_COLOR: 'false' }, true), false)
})
