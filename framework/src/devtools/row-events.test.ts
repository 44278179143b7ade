import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ActivityRecord } from './inspector/activity-record.ts'
import { rowEvents } from './row-events.ts'
import { RecordFile } from './inspector/record-file.ts'
import { sampleRecord } from '../../tests/support/sample-record.ts'

const named = (key: string, parts: Partial<ActivityRecord> = {}): ActivityRecord =>
  sampleRecord(key, { subject: key, ...parts })

test('an open list gets its rows again whenever any process writes, or empties the file', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'framework-changes-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const path = join(root, 'inspector.sqlite')
  const [read, written] = [new RecordFile(path), new RecordFile(path)]
  t.after(() => [read, written].forEach((file) => file.close()))
  written.write([named('a'), named('b')])
  const page = new AbortController()
  const events = rowEvents(
    { rows: () => read.list({}), change: () => read.lastChange() },
    page.signal,
  )
  const next = async (): Promise<unknown[]> => {
    const { data } = (await events.next()).value
    return data.map(({ subject }) => subject)
  }
  assert.deepEqual(await next(), ['b', 'a'])
  const third = next()
  written.write([named('c')])
  assert.deepEqual(await third, ['c', 'b', 'a'])
  written.write([named('a', { statements: 5 }), named('d')])
  assert.deepEqual(await next(), ['d', 'c', 'b', 'a'])
  written.startRun(null)
  written.write([named('e')])
  assert.deepEqual(await next(), ['e'])
  const looking = events.next()
  page.abort()
  await assert.rejects(looking, { name: 'AbortError' })
})
