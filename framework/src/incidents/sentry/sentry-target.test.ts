import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bareIncident,
  sampleIncident,
  sampleSource,
} from '../../../tests/support/sample-incident.ts'
import { SentryTarget } from './sentry-target.ts'

const dsn = { key: 'hunter2', server: 'https://sentry.example/in', project: '42' }

interface Call {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A target whose server replies in this order, the last one for ever. */
function targetOf(...replies: readonly (() => Response)[]) {
  const calls: Call[] = []
  const clock = { nowMs: Date.UTC(2026, 0, 2, 3, 4, 5) }
  const target = new SentryTarget(
    {
      dsn,
      nowMs: () => clock.nowMs,
      fetch: async (...call) => {
        const request = new Request(...call)
        const { url, method } = request
        const headers = Object.fromEntries(request.headers)
        calls.push({ url, method, headers, body: await request.text() })
        return (replies[Math.min(calls.length, replies.length) - 1] ?? accept)()
      },
    },
    sampleSource,
  )
  return { target, calls, clock }
}

const reply =
  (status: number, headers: Record<string, string> = {}) =>
  (): Response =>
    new Response('{}', { status, headers })
const accept = reply(200)

test('an incident is posted to the envelope endpoint of the project with the key in a header', async () => {
  const { target, calls } = targetOf(accept)
  const incident = await sampleIncident()
  assert.deepEqual(await target.send([incident]), { isSent: true, notice: null })
  const [{ url, method, headers, body } = { url: '', method: '', headers: {}, body: '' }] = calls
  assert.equal(url, 'https://sentry.example/in/api/42/envelope/')
  assert.equal(method, 'POST')
  assert.deepEqual(headers, {
    'content-type': 'application/x-sentry-envelope',
    'x-sentry-auth': 'Sentry sentry_version=7, sentry_key=hunter2',
  })
  assert.match(body, /"value":"no receipt"/)
})

for (const [status, headers, seconds] of [
  [429, { 'retry-after': '30' }, 30],
  [429, {}, 60],
  [429, { 'x-sentry-rate-limits': '120:error:organization', 'retry-after': '1' }, 120],
  [200, { 'x-sentry-rate-limits': '45::key' }, 45],
] as const) {
  test(`after ${status} with ${JSON.stringify(headers)} nothing is sent for ${seconds} s`, async () => {
    const { target, calls, clock } = targetOf(reply(status, headers), accept)
    assert.equal((await target.send([bareIncident()])).isSent, status === 200)
    clock.nowMs += seconds * 1_000 - 1
    const { isSent, notice } = await target.send([bareIncident()])
    assert.deepEqual([isSent, calls.length], [false, 1])
    assert.equal(notice, 'the server wants no errors for another 1 s')
    clock.nowMs += 1
    assert.equal((await target.send([bareIncident()])).isSent, true)
    assert.equal(calls.length, 2)
  })
}

test('limits of other things than errors change nothing', async () => {
  const { target } = targetOf(reply(200, { 'x-sentry-rate-limits': '60:transaction:key' }))
  for (let round = 0; round < 2; round += 1) {
    assert.equal((await target.send([bareIncident()])).isSent, true)
  }
})

test('what the server refuses is not sent again', async () => {
  for (const status of [307, 400, 401, 413, 500, 503]) {
    const { target, calls } = targetOf(reply(status))
    const notice = `https://sentry.example/in/api/42/envelope/ answered ${status}`
    assert.deepEqual(await target.send([bareIncident()]), { isSent: false, notice })
    assert.equal(calls.length, 1)
  }
})

test('a server that is away is told without the key', async () => {
  const { target } = targetOf(() => {
    throw new TypeError('fetch failed', { cause: new Error('hunter2 was refused') })
  })
  const notice = 'https://sentry.example/in/api/42/envelope/ did not answer: [redacted] was refused'
  assert.deepEqual(await target.send([bareIncident()]), { isSent: false, notice })
})

test('a request that goes on can be ended', async () => {
  const target = new SentryTarget(
    {
      dsn,
      timeoutMs: 0,
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
        }),
    },
    sampleSource,
  )
  const sending = target.send([bareIncident()])
  target.abandon()
  assert.equal((await sending).isSent, false)
})
