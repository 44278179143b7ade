import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'

import { jsonSink } from './stream-writer.ts'
import { Logs } from './logs.ts'
import type { Sink } from './sink.ts'

function memory(): { sink: Sink; text: () => string; closed: () => number } {
  let text = ''
  let closed = 0
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  const inner = jsonSink(stream)
  const sink: Sink = {
    dropped: 0,
    write: (line) => inner.write(line),
    flush: () => inner.flush(),
    flushSync: () => inner.flushSync(),
    close: () => {
      closed++
      return inner.close()
    },
  }
  return { sink, text: () => text, closed: () => closed }
}

test('a channel is made once and carries its name and the level of the registry', async () => {
  const { sink, text } = memory()
  const logs = new Logs({ sinks: [sink], level: 'warn' })
  assert.equal(logs.channel('mail'), logs.channel('mail'))
  assert.notEqual(logs.channel('mail'), logs.channel('app'))
  logs.channel('mail').info('unseen')
  logs.channel('mail').error('seen')
  await logs.flush()
  assert.match(text(), /^\{[^\n]*"level":"ERROR","channel":"mail","message":"seen"[^\n]*\}\n$/)
  await logs.close()
})

test('channels may have sinks of their own', async () => {
  const places = { app: memory(), exceptions: memory() }
  const logs = new Logs({
    sinks: (channel) => [channel === 'exceptions' ? places.exceptions.sink : places.app.sink],
  })
  logs.channel('app').info('a')
  logs.channel('exceptions').error('b')
  logs.flushSync()
  assert.match(places.app.text(), /"message":"a"/)
  assert.match(places.exceptions.text(), /"message":"b"/)
  await logs.close()
})

test('close writes pending lines and closes each sink once', async () => {
  const shared = memory()
  const logs = new Logs({ sinks: [shared.sink] })
  logs.channel('a').info('one')
  logs.channel('b').info('two')
  await logs.channel('a').close()
  assert.equal(shared.closed(), 0, 'a channel does not close what it shares')
  await logs.close()
  assert.equal(shared.text().split('\n').length, 3)
  assert.equal(shared.closed(), 1)
})

test('sinks that no channel has used yet are closed too', async () => {
  const unused = memory()
  await new Logs({ sinks: [unused.sink] }).close()
  assert.equal(unused.closed(), 1)
})
