import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'

import { Channel } from './channel.ts'
import { terminalSink } from './terminal-sink.ts'

test('lines of a channel are written in readable form immediately', async () => {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  const log = new Channel('app', { sinks: [terminalSink({ stream })] })
  log.warn('Slow\u001b[2J', { ms: 12 })
  assert.match(chunks.join(''), /^[\d:.]{12} WARN {2}app Slow\\u001b\[2J ms=12\n$/)
  await log.close()
})
