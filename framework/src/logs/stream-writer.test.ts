import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'

import { StreamWriter } from './stream-writer.ts'

/** A stream whose reader is as slow as the test wants. */
class SlowStream extends Writable {
  readonly chunks: string[] = []
  #waiting: Array<(error?: Error | null) => void> = []
  hold = false

  constructor() {
    super({ highWaterMark: 16 })
  }

  override _write(chunk: unknown, _encoding: string, done: (error?: Error | null) => void): void {
    this.chunks.push(String(chunk))
    if (this.hold) this.#waiting.push(done)
    else done()
  }

  release(error?: Error): void {
    this.hold = false
    const waiting = this.#waiting
    this.#waiting = []
    for (const done of waiting) done(error)
  }

  get text(): string {
    return this.chunks.join('')
  }
}

function writer(immediate: boolean): { stream: SlowStream; out: StreamWriter; told: string[] } {
  const stream = new SlowStream()
  const told: string[] = []
  const report = (text: string): void => void told.push(text)
  return { stream, told, out: new StreamWriter(stream, { name: 'test', immediate, report }) }
}

test('texts of one turn are written together, immediate ones at once', async () => {
  const gathered = writer(false)
  gathered.out.write('a\n')
  gathered.out.write('b\n')
  assert.deepEqual(gathered.stream.chunks, [])
  await turn()
  assert.deepEqual(gathered.stream.chunks, ['a\nb\n'])
  await gathered.out.close()
  const direct = writer(true)
  direct.out.write('a\n')
  direct.out.write('b\n')
  assert.deepEqual(direct.stream.chunks, ['a\n', 'b\n'])
  await direct.out.close()
})

test('flush and flushSync hand over what waits', async () => {
  const { stream, out } = writer(false)
  out.write('a\n')
  out.flushSync()
  assert.equal(stream.text, 'a\n')
  out.write('b\n')
  await out.flush()
  assert.equal(stream.text, 'a\nb\n')
  await out.close()
})

test('a slow reader makes texts wait and gets all of them in order', async () => {
  const { stream, out } = writer(true)
  stream.hold = true
  const texts = Array.from({ length: 50 }, (_, index) => `line ${index}\n`)
  for (const text of texts) out.write(text)
  assert.ok(stream.chunks.length < 50)
  stream.release()
  await out.flush()
  assert.equal(stream.text, texts.join(''))
  assert.equal(out.dropped, 0)
  await out.close()
})

test('the buffer for a stalled reader is bounded, and dropped lines are counted', () => {
  const { stream, out, told } = writer(true)
  stream.hold = true
  for (let index = 0; index < 40; index++) out.write('x'.repeat(1_024 * 1_024))
  assert.ok(out.dropped > 20 && out.dropped < 25, String(out.dropped))
  assert.deepEqual(told, ['log sink test drops lines: its reader is too slow\n'])
  stream.destroy()
})

test('a broken pipe is reported once, lines are counted, and nothing is thrown', async () => {
  const { stream, out, told } = writer(true)
  stream.hold = true
  out.write('lost in the pipe\n')
  stream.release(new Error('write EPIPE'))
  await turn()
  out.write('lost too\n')
  out.write('lost too\n')
  out.flushSync()
  await out.flush()
  assert.equal(out.dropped, 3)
  assert.deepEqual(told, ['log sink test drops lines: write EPIPE\n'])
  await out.close()
})

test('lines for a closed stream are counted', async () => {
  const { stream, out } = writer(false)
  stream.destroy()
  await turn()
  out.write('late\n')
  await out.flush()
  assert.equal(out.dropped, 1)
  await out.close()
})

test('close leaves the stream open and takes its listeners away', async () => {
  const { stream, out } = writer(false)
  const names = ['error', 'close', 'drain'] as const
  assert.deepEqual(
    names.map((name) => stream.listenerCount(name)),
    [1, 1, 1],
  )
  out.write('a\n')
  await out.close()
  assert.equal(stream.text, 'a\n')
  assert.equal(stream.writable, true)
  assert.deepEqual(
    names.map((name) => stream.listenerCount(name)),
    [0, 0, 0],
  )
})
