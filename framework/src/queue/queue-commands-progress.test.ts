import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from '../base/crypto/encrypter.ts'
import type { JobResult } from './job.ts'
import { MemoryJobs } from './memory-jobs.ts'
import { Queue } from './queue.ts'
import { recordingTerminal } from '../../tests/support/recording-terminal.ts'
import { QueueProgress } from './queue-commands.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
const clear = '\r\u001B[K'
const result: JobResult = { outcome: 'done', id: '1', attempt: 1, reason: null, delay: 0 }

test('on a screen one line is redrawn, makes way for others and is gone in the end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const queue = new Queue('mail', new MemoryJobs(), { encrypter })
  await queue.push('x')
  const terminal = recordingTerminal({ screen: true })
  const progress = new QueueProgress(queue, terminal)
  await new Promise(setImmediate)
  t.mock.timers.tick(200)
  assert.equal(terminal.output(), `${clear}mail  0 done  1 waiting  0.0 a second`)
  progress.add(result, () => {})
  progress.add({ ...result, outcome: 'failed' }, () => terminal.out('a line\n'))
  progress.add({ ...result, outcome: 'dead' }, () => {})
  t.mock.timers.tick(200)
  progress.stop()
  const [, drawn, hidden, rest] = terminal.output().split(clear)
  assert.match(drawn ?? '', /^mail {2}0 done/)
  assert.equal(hidden, 'a line\n')
  assert.match(rest ?? '', /^mail {2}1 done {2}1 failed {2}1 dead {2}1 waiting {2}[\d.]+ a second$/)
  assert.ok(terminal.output().endsWith(clear))
  const before = terminal.output()
  t.mock.timers.tick(10_000)
  assert.equal(terminal.output(), before)
})

test('elsewhere nothing is drawn', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const terminal = recordingTerminal()
  const progress = new QueueProgress(new Queue('mail', new MemoryJobs(), { encrypter }), terminal)
  progress.add(result, () => terminal.out('a line\n'))
  t.mock.timers.tick(10_000)
  progress.stop()
  assert.equal(terminal.output(), 'a line\n')
})
