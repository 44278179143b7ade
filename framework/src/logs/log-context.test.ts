import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'

import { LogContext } from './log-context.ts'

test('outside of any work there are no fields', () => {
  assert.deepEqual(LogContext.current(), {})
})

test('fields last over awaits, nest, and do not leak to other work', async () => {
  const work = (request: string): Promise<unknown[]> =>
    LogContext.run({ request }, async () => {
      const seen: unknown[] = [LogContext.current()]
      await turn()
      LogContext.run({ job: 1 }, () => seen.push(LogContext.current()))
      seen.push(LogContext.current())
      return seen
    })
  const [a, b] = await Promise.all([work('a'), work('b')])
  assert.deepEqual(a, [{ request: 'a' }, { request: 'a', job: 1 }, { request: 'a' }])
  assert.deepEqual(b, [{ request: 'b' }, { request: 'b', job: 1 }, { request: 'b' }])
  assert.deepEqual(LogContext.current(), {})
})

test('run returns the result of its function and passes errors on', () => {
  assert.equal(
    LogContext.run({ request: 'a' }, () => 5),
    5,
  )
  const fail = (): never => {
    throw new Error('no')
  }
  assert.throws(() => LogContext.run({}, fail), /no/)
})
