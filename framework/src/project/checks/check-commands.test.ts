import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NamedFinding } from './check-project.ts'
import { findingsText } from './check-commands.ts'
import { paints } from '../../base/terminal/paints.ts'

const finding = { check: 'mail', what: 'a is b', why: 'so c', fix: 'do d' }
const note: NamedFinding = { ...finding, level: 'note' }

function firstLines(findings: readonly NamedFinding[]): string[] {
  const lines = findingsText(findings, paints(false)).split('\n')
  return lines.filter((line) => !/^ {11}|^$/.test(line))
}

test('a note is printed and does not count as a problem', () => {
  assert.deepEqual(firstLines([]), ['framework check found no problems'])
  assert.deepEqual(firstLines([note]), [
    'framework check found no problems',
    '  note     a is b (mail)',
  ])
  assert.deepEqual(firstLines([{ ...finding, level: 'warning' }, note]), [
    'framework check found 1 warning:',
    '  warning  a is b (mail)',
    '  note     a is b (mail)',
  ])
})
