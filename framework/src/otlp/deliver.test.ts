import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiverAt } from './receiver.ts'
import { deliver } from './deliver.ts'
import { Compressions, createShipRequest } from './post.ts'
import { completeShipOptions } from './ship-metrics.ts'
import type { ShipOptions } from './ship-metrics.ts'
import type { ShipOutcome } from './deliver.ts'

type Reply = Response | Error

interface Delivery {
  readonly outcome: ShipOutcome
  /** Milliseconds waited between the posts. */
  readonly waits: readonly number[]
  readonly posts: number
}

/** Delivers to a collector that replies in this order, the last one for ever, while time is made up. */
async function run(
  replies: readonly (() => Reply)[],
  given: Partial<ShipOptions> = {},
): Promise<Delivery> {
  let nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)
  let posts = 0
  const waits: number[] = []
  const options = completeShipOptions({
    folder: '',
    clock: {
      now: () => nowMs,
      random: () => 1,
      sleep: (ms, signal) => {
        if (!signal.aborted) waits.push(ms)
        nowMs += ms
        return Promise.resolve()
      },
    },
    fetch: async () => {
      const reply = (replies[Math.min(posts++, replies.length - 1)] ?? (() => new Error()))()
      if (reply instanceof Error) throw reply
      return reply
    },
    ...given,
  })
  const receiver = receiverAt('http://ada:hunter2@host:4318', { 'x-key': 'sesame' })
  const request = await createShipRequest(receiver, '{}', Compressions.None)
  return { outcome: await deliver(request, options), waits, posts }
}

const reply =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (): Response =>
    new Response(body, { status, headers })
const refusal = () => new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })

test('a 2xx response is final', async () => {
  for (const status of [200, 202, 299]) {
    const { outcome, posts } = await run([reply(status)])
    assert.deepEqual(outcome, { result: 'sent', status, attempts: 1, notice: null })
    assert.equal(posts, 1)
  }
})

for (const status of [400, 401, 403, 404, 408, 413, 500, 501, 505]) {
  test(`${status} is final`, async () => {
    const { outcome, posts } = await run([reply(status), reply(200)])
    assert.deepEqual([outcome.result, outcome.status, posts], ['refused', status, 1])
    assert.equal(outcome.notice, `http://host:4318/v1/metrics answered ${status}`)
  })
}

for (const status of [429, 502, 503, 504]) {
  test(`${status} is tried again with growing pauses`, async () => {
    const { outcome, waits } = await run([reply(status), reply(status), reply(status), reply(200)])
    assert.deepEqual(outcome, { result: 'sent', status: 200, attempts: 4, notice: null })
    assert.deepEqual(waits, [1_000, 2_000, 4_000])
  })
}

test('a network failure is tried again, five times in all', async () => {
  const { outcome, waits, posts } = await run([refusal])
  assert.deepEqual(outcome, {
    result: 'unreachable',
    status: null,
    attempts: 5,
    notice: 'http://host:4318/v1/metrics did not answer after 5 attempts: connect ECONNREFUSED',
  })
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000])
  assert.equal(posts, 5)
})

test('the notice is that of the last attempt', async () => {
  const { outcome } = await run([refusal, reply(400, {}, '{"message":"bad metric"}')])
  const notice = 'http://host:4318/v1/metrics answered 400 after 2 attempts: bad metric'
  assert.deepEqual(outcome, { result: 'refused', status: 400, attempts: 2, notice })
})

test('Retry-After is waited for, in seconds or until a date, and a little longer', async () => {
  const { waits } = await run([
    reply(503, { 'Retry-After': '7' }),
    reply(429, { 'Retry-After': 'Fri, 02 Jan 2026 03:04:33 GMT' }),
    reply(200),
  ])
  assert.deepEqual(waits, [8_000, 21_000])
})

test('a pause that would end after 60 s is not begun', async () => {
  const { outcome, waits, posts } = await run([reply(503, { 'Retry-After': '60' }), reply(200)])
  assert.deepEqual([outcome.result, outcome.status, posts], ['refused', 503, 1])
  assert.deepEqual(waits, [])
  const patient = await run([reply(503, { 'Retry-After': '60' }), reply(200)], { retryFor: 61 })
  assert.equal(patient.outcome.result, 'sent')
})

test('without retryFor there is one attempt', async () => {
  assert.equal((await run([refusal], { retryFor: 0 })).posts, 1)
  assert.equal((await run([reply(503, { 'Retry-After': '0' })], { retryFor: 0 })).posts, 1)
})

test('nothing is posted after the signal fired', async () => {
  const { outcome, posts } = await run([reply(200)], { signal: AbortSignal.abort() })
  assert.deepEqual(outcome, { result: 'stopped', status: null, attempts: 0, notice: null })
  assert.equal(posts, 0)
})

test('when the signal fires during a post, that one is finished and no other follows', async () => {
  const stopping = new AbortController()
  const during = (next: () => Reply) => () => {
    stopping.abort()
    return next()
  }
  const taken = await run([during(reply(200))], { signal: stopping.signal })
  assert.deepEqual([taken.outcome.result, taken.posts], ['sent', 1])
  const again = new AbortController()
  const failed = await run(
    [
      () => {
        again.abort()
        return refusal()
      },
    ],
    { signal: again.signal },
  )
  assert.deepEqual([failed.outcome.result, failed.posts, failed.waits], ['unreachable', 1, []])
})

test('a redirect is final and not followed', async () => {
  const { outcome, posts } = await run([reply(307, { Location: 'http://other/' })])
  assert.deepEqual([outcome.result, outcome.status, posts], ['refused', 307, 1])
  assert.match(outcome.notice ?? '', /redirects are not followed/)
  assert.doesNotMatch(outcome.notice ?? '', /other/)
})

test('a partial rejection is in the notice, though the rest was accepted', async () => {
  const body = '{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"too old"}}'
  const { outcome } = await run([reply(200, {}, body)])
  const notice = 'the collector rejected 2 data points: too old'
  assert.deepEqual(outcome, { result: 'sent', status: 200, attempts: 1, notice })
})

test('no secret is shown, even if the collector repeats it', async () => {
  const words = 'ada:hunter2 sent sesame to http://ada:hunter2@host'
  for (const next of [
    reply(401, { 'Content-Type': 'text/plain' }, words),
    reply(401, {}, JSON.stringify({ message: words })),
    reply(200, {}, JSON.stringify({ partialSuccess: { errorMessage: words } })),
    () => new TypeError(words),
    () => new TypeError('fetch failed', { cause: new Error(words) }),
  ]) {
    const { notice } = (await run([next])).outcome
    assert.match(notice ?? '', /\[redacted\]/)
    assert.doesNotMatch(notice ?? '', /hunter2|sesame/)
  }
})

for (const [text, expected] of [
  ['', null],
  ['{}', null],
  ['not JSON', null],
  ['null', null],
  ['{"partialSuccess":{}}', null],
  ['{"partialSuccess":null}', null],
  ['{"partialSuccess":{"rejectedDataPoints":"0","errorMessage":""}}', null],
  ['{"partialSuccess":{"rejectedDataPoints":"3"}}', 'the collector rejected 3 data points'],
  ['{"partialSuccess":{"rejectedDataPoints":1}}', 'the collector rejected 1 data point'],
  [
    '{"partialSuccess":{"rejectedDataPoints":"9007199254740993","errorMessage":"too old"}}',
    'the collector rejected 9007199254740993 data points: too old',
  ],
  ['{"partialSuccess":{"errorMessage":"old version"}}', 'the collector warns: old version'],
  ['{"partialSuccess":{"rejectedDataPoints":-1,"errorMessage":7}}', null],
  ['{"partialSuccess":{"rejectedDataPoints":{},"errorMessage":[]}}', null],
] as const) {
  test(`a collector that answers ${text || 'nothing'} complains: ${expected}`, async () => {
    assert.equal((await run([reply(200, {}, text)])).outcome.notice, expected)
  })
}

for (const [body, type, message] of [
  ['{"code":3,"message":"bad metric"}', 'application/json', ': bad metric'],
  ['404 page not found', 'text/plain; charset=utf-8', ': 404 page not found'],
  ['<h1>404</h1>', 'text/html', ''],
  ['{"message":{}}', 'application/json', ''],
] as const) {
  test(`the notice of a refusal with ${body} as ${type} ends with "${message}"`, async () => {
    const { outcome } = await run([reply(400, { 'Content-Type': type }, body)])
    assert.equal(outcome.notice, `http://host:4318/v1/metrics answered 400${message}`)
  })
}
