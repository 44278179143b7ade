import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareIncident, sampleIncident, sampleSource } from '../../tests/support/sample-incident.ts'
import { SentryTarget, pauseOf } from './sentry-target.ts'

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

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const pause = (
  status: number,
  rateLimits: string | null = null,
  retryAfter: string | null = null,
): number => {
  const headers = new Map([
    ['x-sentry-rate-limits', rateLimits],
    ['retry-after', retryAfter],
  ])
  return pauseOf({ status, header: (name) => headers.get(name) ?? null }, nowMs) / 1_000
}

test('a response without limits wants no pause', () => {
  for (const status of [200, 202, 400, 413, 500, 503]) assert.equal(pause(status), 0)
  assert.equal(pause(200, ''), 0)
})

test('limits of errors and of everything count, on a success too; the longest one decides', () => {
  assert.equal(pause(200, '30:error:organization'), 30)
  assert.equal(pause(200, '7::key'), 7)
  assert.equal(pause(200, '7:transaction;error:project:quota'), 7)
  assert.equal(pause(429, '60:transaction:key, 2700:default;error;security:organization'), 2_700)
  assert.equal(pause(429, '0.5:error:key,0.25:error:key'), 0.5)
})

test('limits of other categories do not count; an unreadable one is a minute', () => {
  for (const limits of ['60:transaction:key', '60:session;attachment:key', '60:default:key']) {
    assert.equal(pause(429, limits, '90'), 0, limits)
  }
  for (const limits of ['soon:error:key', ':error', 'x', '-1']) {
    assert.equal(pause(200, limits), 60, limits)
  }
})

test('Retry-After counts where there are no limits: in seconds, as a date, or a minute', () => {
  for (const status of [200, 429, 503]) {
    assert.equal(pause(status, null, '90'), 90)
    assert.equal(pause(status, '', 'Fri, 02 Jan 2026 03:04:33 GMT'), 28)
    assert.equal(pause(status, null, 'later'), 60)
  }
  assert.equal(pause(429), 60)
})

test('no pause is longer than a day', () => {
  assert.equal(pause(429, '999999999:error:key'), 86_400)
})
