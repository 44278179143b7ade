import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Readiness } from './readiness.ts'

test('without checks a process is ready until it drains', async () => {
  const readiness = new Readiness()
  assert.deepEqual(await readiness.ask(), { status: 'ready', checks: {} })
  readiness.draining = true
  assert.deepEqual(await readiness.ask(), { status: 'unready', checks: {} })
})

test('a check that returns false, throws or rejects makes it unready, and the reason is not in the response', async () => {
  const reasons: [string, string][] = []
  const readiness = new Readiness((name, reason) => {
    reasons.push([name, reason instanceof Error ? reason.message : ''])
  })
  readiness.add('fine', () => Promise.resolve())
  readiness.add('no', () => false)
  readiness.add('throws', () => {
    throw new Error('no table')
  })
  readiness.add('rejects', () => Promise.reject(new Error('no server')))
  assert.deepEqual(await readiness.ask(), {
    status: 'unready',
    checks: { fine: 'ok', no: 'failed', throws: 'failed', rejects: 'failed' },
  })
  assert.deepEqual(
    reasons.toSorted(([one], [other]) => one.localeCompare(other)),
    [
      ['no', 'it said no'],
      ['rejects', 'no server'],
      ['throws', 'no table'],
    ],
  )
})

test('a check that never ends has failed after five seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const readiness = new Readiness()
  readiness.add('silent', () => new Promise(() => {}))
  const answer = readiness.ask()
  await Promise.resolve()
  t.mock.timers.tick(5_000)
  assert.deepEqual(await answer, { status: 'unready', checks: { silent: 'failed' } })
})

test('a check takes the place of one of the same name', async () => {
  const readiness = new Readiness()
  readiness.add('database', () => false)
  readiness.add('database', () => true)
  assert.equal((await readiness.ask()).status, 'ready')
})
