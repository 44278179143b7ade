import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { test } from 'node:test'
import { decodeOtlpLogs } from '../../tests/support/decode-otlp.ts'
import { bareIncident, sampleSource } from '../../tests/support/sample-incident.ts'
import { OtlpLogTarget } from './otlp-log-target.ts'
import type { OtlpLogOptions } from './otlp-log-target.ts'

function targetOf(replies: readonly number[], given: Partial<OtlpLogOptions> = {}) {
  const requests: Request[] = []
  const waits: number[] = []
  const target = new OtlpLogTarget(
    {
      endpoint: 'https://ada:hunter2@otel.example/in/',
      isWholeUrl: false,
      headers: { 'x-key': 'sesame' },
      timeoutMs: 1_000,
      compression: 'none',
      clock: {
        now: () => 0,
        random: () => 1,
        sleep: (ms) => Promise.resolve(void waits.push(ms)),
      },
      fetch: (...call) => {
        requests.push(new Request(...call))
        const status = replies[Math.min(requests.length, replies.length) - 1] ?? 200
        return Promise.resolve(Response.json({}, { status }))
      },
      ...given,
    },
    sampleSource,
  )
  return { target, requests, waits }
}

test('incidents are one request to /v1/logs of the collector, with its headers', async () => {
  const { target, requests } = targetOf([200])
  assert.deepEqual(await target.send([bareIncident(), bareIncident()]), {
    isSent: true,
    notice: null,
  })
  const [request] = requests
  assert.ok(request !== undefined)
  assert.equal(request.url, 'https://otel.example/in/v1/logs')
  assert.equal(request.headers.get('x-key'), 'sesame')
  assert.equal(request.headers.get('content-type'), 'application/json')
  assert.match(request.headers.get('authorization') ?? '', /^Basic /)
  assert.equal(decodeOtlpLogs(await request.text()).records.length, 2)
})

test('an endpoint of logs is used as it is', async () => {
  const { target, requests } = targetOf([200], {
    endpoint: 'https://logs.example/take/?x=1',
    isWholeUrl: true,
  })
  await target.send([bareIncident()])
  assert.equal(requests[0]?.url, 'https://logs.example/take/?x=1')
})

test('the body can be compressed', async () => {
  const { target, requests } = targetOf([200], { compression: 'gzip' })
  await target.send([bareIncident()])
  const [request] = requests
  assert.ok(request !== undefined)
  assert.equal(request.headers.get('content-encoding'), 'gzip')
  const body = gunzipSync(Buffer.from(await request.arrayBuffer())).toString()
  assert.equal(decodeOtlpLogs(body).records.length, 1)
})

test('a collector that is busy is asked again, one that refuses is not', async () => {
  const busy = targetOf([503, 429, 200])
  assert.equal((await busy.target.send([bareIncident()])).isSent, true)
  assert.deepEqual(busy.waits, [1_000, 2_000])
  const refusing = targetOf([400])
  const { isSent, notice } = await refusing.target.send([bareIncident()])
  assert.equal(isSent, false)
  assert.equal(notice, 'https://otel.example/in/v1/logs answered 400')
  assert.equal(refusing.requests.length, 1)
})

test('after the end each request gets one attempt', async () => {
  const { target, requests } = targetOf([503])
  target.stop()
  assert.equal((await target.send([bareIncident()])).isSent, false)
  assert.equal(requests.length, 1)
})

test('what waits for its retry is sent once more at the end, unless there is no time left', async () => {
  for (const [isAbandoned, expected] of [
    [false, { isSent: true, attempts: 2 }],
    [true, { isSent: false, attempts: 1 }],
  ] as const) {
    const { target, requests } = targetOf([503, 200], {
      clock: {
        now: () => 0,
        random: () => 1,
        sleep: async () => {
          target.stop()
          if (isAbandoned) target.abandon()
        },
      },
    })
    const { isSent } = await target.send([bareIncident()])
    assert.deepEqual({ isSent, attempts: requests.length }, expected)
  }
})

test('an invalid endpoint is refused without showing it', () => {
  assert.throws(
    () => targetOf([], { endpoint: 'hunter2' }),
    (thrown: Error) => {
      assert.doesNotMatch(thrown.message, /hunter2/)
      return true
    },
  )
})
