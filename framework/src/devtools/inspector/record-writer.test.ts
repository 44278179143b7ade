import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleRecord } from '../../../tests/support/sample-record.ts'
import type { ActivityRecord } from './activity-record.ts'
import { RecordWriter } from './record-writer.ts'

const record = sampleRecord('a')

/** A file that counts what it gets, and fails while it is told to. */
function fakeFile(): {
  isLocked: boolean
  readonly written: number[]
  write(records: readonly ActivityRecord[]): void
  close(): void
} {
  const written: number[] = []
  return {
    isLocked: false,
    written,
    write(records) {
      if (this.isLocked) throw new Error('database is locked')
      written.push(records.length)
    },
    close() {},
  }
}

test('records are written together, a while after the first, and each once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const file = fakeFile()
  const { keep } = new RecordWriter(file)
  const [one, other] = [{}, {}]
  for (const key of [one, other, one]) keep(key, () => record)
  assert.deepEqual(file.written, [])
  t.mock.timers.tick(100)
  assert.deepEqual(file.written, [2])
  t.mock.timers.tick(10_000)
  assert.deepEqual(file.written, [2])
})

test('while the file is locked a bounded number of records waits, and nothing is thrown', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const file = fakeFile()
  const writer = new RecordWriter(file)
  file.isLocked = true
  for (let at = 0; at < 1_000; at += 1) writer.keep({}, () => record)
  t.mock.timers.tick(5_000)
  file.isLocked = false
  t.mock.timers.tick(500)
  assert.deepEqual(file.written, [200])
})

test('closing writes what waits, and gives up on a file that stays locked', async () => {
  const file = fakeFile()
  const writer = new RecordWriter(file)
  writer.keep({}, () => record)
  await writer.close()
  assert.deepEqual(file.written, [1])
  const locked = fakeFile()
  locked.isLocked = true
  const other = new RecordWriter(locked)
  other.keep({}, () => record)
  await other.close()
  assert.deepEqual(locked.written, [])
})
