import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Channel } from './channel.ts'
import { LogContext } from './log-context.ts'
import { RecentLines } from './recent-lines.ts'

test('the lines of one request are told apart from those of others', () => {
  const recent = new RecentLines()
  const log = new Channel('shop', { sinks: [recent] })
  LogContext.run({ request: 'r1' }, () => log.info('first'))
  LogContext.run({ request: 'r2' }, () => log.info('of another, naming r1'))
  LogContext.run({ request: 'r1' }, () => log.warn('second'))
  assert.deepEqual(recent.of('r1'), ['INFO shop: first', 'WARN shop: second'])
})

test('only the latest lines are kept', () => {
  const recent = new RecentLines(10)
  const log = new Channel('shop', { sinks: [recent] })
  LogContext.run({ request: 'r1' }, () => {
    for (let at = 1; at <= 95; at += 1) log.info(`line ${at}`)
  })
  assert.equal(recent.of('r1', 100).length, 10)
  assert.deepEqual(recent.of('r1', 2), ['INFO shop: line 94', 'INFO shop: line 95'])
})
