import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const framework = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(framework, '..', 'docs', 'asvs.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))

/** The rows of levels 1 and 2 by section of ASVS 5.0.0: their numbers, those of level 1 first. */
const sections: Readonly<Record<string, readonly [ones: string, twos: string]>> = {
  '3.2': ['1 2', ''],
  '3.3': ['1', '2 3 4'],
  '3.4': ['1 2', '3 4 5 6'],
  '3.5': ['1 2 3', '4 5'],
  '3.7': ['', '1 2'],
  '5.1': ['', '1'],
  '5.2': ['1 2', '3'],
  '5.3': ['1 2', ''],
  '5.4': ['', '1 2 3'],
  '6.1': ['1', '2 3'],
  '6.2': ['1 2 3 4 5 6 7 8', '9 10 11 12'],
  '6.3': ['1 2', '3 4'],
  '6.4': ['1 2', '3 4'],
  '6.5': ['', '1 2 3 4 5'],
  '6.6': ['', '1 2 3'],
  '6.8': ['', '1 2 3 4'],
  '7.1': ['', '1 2 3'],
  '7.2': ['1 2 3 4', ''],
  '7.3': ['', '1 2'],
  '7.4': ['1 2', '3 4 5'],
  '7.5': ['', '1 2'],
  '7.6': ['', '1 2'],
  '10.1': ['', '1 2'],
  '10.2': ['', '1 2'],
  '10.3': ['', '1 2 3 4'],
  '10.4': ['1 2 3 4 5', '6 7 8 9 10 11'],
  '10.5': ['', '1 2 3 4 5'],
  '10.6': ['', '1 2'],
  '10.7': ['', '1 2 3'],
  '12.1': ['1', '2 3'],
  '12.2': ['1 2', ''],
  '12.3': ['', '1 2 3 4'],
  '13.1': ['', '1'],
  '13.2': ['', '1 2 3 4 5'],
  '13.3': ['', '1 2'],
  '13.4': ['1', '2 3 4 5'],
  '14.1': ['', '1 2'],
  '14.2': ['1', '2 3 4'],
  '14.3': ['1', '2 3'],
  '16.1': ['', '1'],
  '16.2': ['', '1 2 3 4 5'],
  '16.3': ['', '1 2 3 4'],
  '16.4': ['', '1 2 3'],
  '16.5': ['', '1 2 3'],
}

test('every row of levels 1 and 2 stands in the ASVS table once, with its level', () => {
  const expected = Object.entries(sections).flatMap(([section, levels]) =>
    levels.flatMap((numbers, at) =>
      numbers
        .split(' ')
        .flatMap((number) => (number === '' ? [] : `${section}.${number} ${at + 1}`)),
    ),
  )
  assert.equal(expected.length, 157)
  assert.deepEqual(rows.map(([row, level]) => `${row} ${level}`).toSorted(), expected.toSorted())
})

test('a row of the ASVS table is held by tests that exist, or says why not', () => {
  for (const [row = '', , , state = '', by = ''] of rows) {
    assert.match(state, /^(?:held|n\/a|open)$/, row)
    const files = [...by.matchAll(/`((?:src|tests)\/[^`]+)`/g)].map(([, file = '']) => file)
    for (const file of files) assert.ok(existsSync(join(framework, file)), `${row}: ${file}`)
    if (state === 'held') assert.ok(files.length > 0, `${row} names no test`)
    else assert.ok(by.length >= 6, `${row} gives no reason`)
  }
})
