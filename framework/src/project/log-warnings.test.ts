import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Logs } from '../logs/logs.ts'
import { logWarnings } from './log-warnings.ts'

test('a warning of the process is a line in the log, until it is ended', async () => {
  const lines: string[] = []
  const sink = {
    dropped: 0,
    write: (line: string) => void lines.push(line),
    flush: async () => {},
    flushSync: () => {},
    close: async () => {},
  }
  const logs = new Logs({ level: 'info', sinks: () => [sink] })
  const end = logWarnings(logs.channel('server'))
  process.emitWarning('too many series', 'MetricOverflow')
  await new Promise(setImmediate)
  end()
  process.emitWarning('said to nobody', 'MetricOverflow')
  await new Promise(setImmediate)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /"message":"too many series".*"warning":"MetricOverflow"/)
})
