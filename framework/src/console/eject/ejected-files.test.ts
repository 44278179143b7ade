import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedLines } from './ejected-files.ts'

test('changed lines are shown with two lines around them', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].join('\n')
  const after = ['a', 'b', 'c', 'D', 'e', 'f', 'g'].join('\n')
  assert.deepEqual(changedLines(before, after), [' b', ' c', '-d', '+D', ' e', ' f'])
})

test('lines at the beginning and the end are added and removed', () => {
  assert.deepEqual(changedLines('a\nb', 'x\na'), ['+x', ' a', '-b'])
  assert.deepEqual(changedLines('a', 'a'), [])
  assert.deepEqual(changedLines('', 'a'), ['-', '+a'])
})
