import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sampleRecord } from '../../../tests/support/sample-record.ts'
import type { RepeatedStatement } from '../../activity/repeated-statements.ts'
import { RecordFile } from './record-file.ts'

function recordPath(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'framework-records-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return join(root, 'storage', 'inspector.sqlite')
}

function open(t: TestContext, path: string, max?: number): RecordFile {
  const file = new RecordFile(path, max)
  t.after(() => file.close())
  return file
}

const repeated: RepeatedStatement = {
  kind: 'SELECT',
  statement: 'SELECT 1',
  caller: { file: '/shop/orders.ts', line: 12, column: 3, call: 'list' },
  count: 4,
  durationMs: 2,
}

test('records of several processes are in one file, newest first, for the owner only', (t) => {
  const path = recordPath(t)
  const [one, other] = [open(t, path), open(t, path)]
  one.write([sampleRecord('a'), sampleRecord('b')])
  other.write([sampleRecord('c')])
  assert.deepEqual(
    one.list({}).map(({ id }) => id),
    ['id-c', 'id-b', 'id-a'],
  )
  assert.equal(other.lastChange(), 3)
  for (const ending of ['', '-wal', '-shm']) {
    assert.equal(statSync(`${path}${ending}`).mode & 0o777, 0o600, ending)
  }
})

test('the oldest records give way', (t) => {
  const file = open(t, recordPath(t), 3)
  for (const key of ['a', 'b', 'c', 'd', 'e']) file.write([sampleRecord(key)])
  assert.deepEqual(
    file.list({}).map(({ id }) => id),
    ['id-e', 'id-d', 'id-c'],
  )
})

test('a record that is written again keeps its number and counts as changed', (t) => {
  const file = open(t, recordPath(t))
  file.write([sampleRecord('a'), sampleRecord('b')])
  file.write([sampleRecord('a', { statements: 5 })])
  assert.deepEqual(
    file.list({}).map(({ number, statements }) => [number, statements]),
    [
      [2, 0],
      [1, 5],
    ],
  )
  assert.equal(file.read(1)?.statements, 5)
  assert.equal(file.read(9), null)
  assert.deepEqual(file.neighbours(1), { older: null, newer: 2 })
  assert.equal(file.find('request', 'id-b'), 2)
  assert.equal(file.find('job', 'id-b'), null)
})

test('the search looks for paths, statuses, kinds, statements and errors', (t) => {
  const file = open(t, recordPath(t))
  file.write([
    sampleRecord('a', { subject: 'GET /cart', status: '404' }),
    sampleRecord('d', { repeats: [repeated] }),
    sampleRecord('b', { kind: 'job', subject: 'mail', status: 'failed', failed: true }),
    sampleRecord('c', { status: '500', failed: true, texts: ['SELECT "Name" FROM users'] }),
  ])
  const found = (words: string, kind: 'job' | null = null): string =>
    file
      .list({ words, kind })
      .map(({ id }) => id.slice(3))
      .join('')
  assert.equal(found(''), 'cbda')
  assert.equal(found('N+1'), 'd')
  assert.deepEqual(
    file.list({}).map(({ repeats }) => repeats),
    [0, 0, 1, 0],
  )
  assert.equal(found('/cart'), 'a')
  assert.equal(found('404'), 'a')
  assert.equal(found('5xx'), 'c')
  assert.equal(found('4xx'), 'a')
  assert.equal(found('failed'), 'cb')
  assert.equal(found('select users'), 'c')
  assert.equal(found('"name"'), 'c')
  assert.equal(found('select nothing'), '')
  assert.equal(found('%'), '')
  assert.equal(found('', 'job'), 'b')
  assert.equal(found('id-a'), 'a')
})

test('a new run empties the file, one that goes on keeps it', (t) => {
  const file = open(t, recordPath(t))
  file.startRun(77)
  file.write([sampleRecord('a')])
  file.startRun(77)
  assert.equal(file.list({}).length, 1)
  file.startRun(78)
  assert.equal(file.list({}).length, 0)
  file.write([sampleRecord('b')])
  file.startRun(null)
  assert.equal(file.list({}).length, 0)
})

test('a file of another version, or none of ours, is replaced', (t) => {
  const path = recordPath(t)
  open(t, path).write([sampleRecord('a')])
  const other = new DatabaseSync(path)
  other.exec('PRAGMA user_version = 99')
  other.close()
  const file = open(t, path)
  assert.equal(file.list({}).length, 0)
  file.close()
  writeFileSync(path, 'no database '.repeat(500))
  rmSync(`${path}-wal`, { force: true })
  const again = open(t, path)
  again.write([sampleRecord('b')])
  assert.equal(again.list({}).length, 1)
})

test('a file that is broken inside is replaced by the next attempt', (t) => {
  const path = recordPath(t)
  const first = open(t, path)
  first.write([sampleRecord('a')])
  first.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xff, 4_096))
  const file = open(t, path)
  assert.throws(() => file.list({}), /malformed/)
  file.write([sampleRecord('b')])
  assert.deepEqual(
    file.list({}).map(({ id }) => id),
    ['id-b'],
  )
})

test('nobody waits long for a locked file', (t) => {
  const path = recordPath(t)
  const file = open(t, path)
  file.write([sampleRecord('a')])
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  assert.throws(() => file.write([sampleRecord('b')]), /locked/)
  assert.equal(file.list({}).length, 1)
  other.exec('COMMIT')
  file.write([sampleRecord('b')])
  assert.equal(file.list({}).length, 2)
})
