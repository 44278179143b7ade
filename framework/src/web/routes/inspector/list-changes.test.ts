import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleRecord } from '../../../../tests/support/sample-record.ts'
import { RecordFile } from '../../../services/inspector/record-file.ts'
import { changeEvents } from './list-changes.ts'

test('an open list gets what any process writes, once, and all of it when the file was emptied', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'framework-changes-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const path = join(root, 'inspector.sqlite')
  const [read, written] = [new RecordFile(path), new RecordFile(path)]
  t.after(() => [read, written].forEach((file) => file.close()))
  written.write([sampleRecord('a'), sampleRecord('b')])
  const page = new AbortController()
  const events = changeEvents(read, { after: 1 }, page.signal)
  const next = async (): Promise<unknown[]> => {
    const { change, isWhole, rows } = (await events.next()).value.data
    return [change, isWhole, rows.map(({ number }) => number)]
  }
  assert.deepEqual(await next(), [2, false, [2]])
  const third = next()
  written.write([sampleRecord('c')])
  assert.deepEqual(await third, [3, false, [3]])
  written.write([sampleRecord('a', { statements: 5 }), sampleRecord('d')])
  assert.deepEqual(await next(), [5, false, [4, 1]])
  written.startRun(null)
  written.write([sampleRecord('e')])
  assert.deepEqual(await next(), [1, true, [5]])
  const looking = events.next()
  page.abort()
  await assert.rejects(looking, { name: 'AbortError' })
})
