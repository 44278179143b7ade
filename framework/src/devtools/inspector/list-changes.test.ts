import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ActivityRecord } from './activity-record.ts'
import { changeEvents } from './list-changes.ts'
import { RecordFile } from './record-file.ts'
import { sampleRecord } from '../../../tests/support/sample-record.ts'

const named = (key: string, parts: Partial<ActivityRecord> = {}): ActivityRecord =>
  sampleRecord(key, { subject: key, ...parts })

test('an open list gets what any process writes, once, and all of it when the file was emptied', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'framework-changes-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const path = join(root, 'inspector.sqlite')
  const [read, written] = [new RecordFile(path), new RecordFile(path)]
  t.after(() => [read, written].forEach((file) => file.close()))
  written.write([named('a'), named('b')])
  const page = new AbortController()
  const events = changeEvents(read, { after: 1 }, page.signal)
  const next = async (): Promise<unknown[]> => {
    const { change, isWhole, rows } = (await events.next()).value.data
    return [change, isWhole, rows.map(({ subject }) => subject)]
  }
  assert.deepEqual(await next(), [2, false, ['b']])
  const third = next()
  written.write([named('c')])
  assert.deepEqual(await third, [3, false, ['c']])
  written.write([named('a', { statements: 5 }), named('d')])
  assert.deepEqual(await next(), [5, false, ['d', 'a']])
  written.startRun(null)
  written.write([named('e')])
  assert.deepEqual(await next(), [1, true, ['e']])
  const looking = events.next()
  page.abort()
  await assert.rejects(looking, { name: 'AbortError' })
})
