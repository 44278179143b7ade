import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Origins } from '../errors/stack/frames.ts'
import type { Frame } from '../errors/stack/frames.ts'
import { isRecord, recordIn } from '../../tests/support/json-parts.ts'
import { bareIncident, sampleIncident, sampleSource } from '../../tests/support/sample-incident.ts'
import type { Incident } from './incident.ts'
import { sentryEnvelope, sentryFrames } from './sentry-target.ts'

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)

function parts(incident: Incident): Readonly<Record<string, unknown>>[] {
  const lines = sentryEnvelope(incident, sampleSource, nowMs).split('\n')
  assert.equal(lines.pop(), '')
  return lines.map((line) => {
    const part: unknown = JSON.parse(line)
    assert.ok(isRecord(part))
    return part
  })
}

function eventOf(incident: Incident): Readonly<Record<string, unknown>> {
  const [, , event] = parts(incident)
  assert.ok(event !== undefined)
  return event
}

test('an envelope is a header, the header of an event, and the event', async () => {
  const [header, item, event, ...more] = parts(await sampleIncident())
  const id = header?.['event_id']
  assert.match(String(id), /^[\da-f]{32}$/)
  assert.deepEqual(header, { event_id: id, sent_at: '2026-01-02T03:04:05.000Z' })
  const length = Buffer.byteLength(JSON.stringify(event))
  assert.deepEqual(item, { type: 'event', content_type: 'application/json', length })
  assert.equal(event?.['event_id'], id)
  assert.deepEqual(more, [])
})

test('each event has an id of its own', async () => {
  const incident = await sampleIncident()
  assert.notEqual(eventOf(incident)['event_id'], eventOf(incident)['event_id'])
})

test('an event tells what failed, where, for whom and in which release', async () => {
  const { event_id: _, exception: _exception, contexts, ...event } = eventOf(await sampleIncident())
  assert.deepEqual(event, {
    timestamp: 1_700_000_000.25,
    platform: 'node',
    level: 'error',
    logger: 'exceptions',
    environment: 'production',
    server_name: 'till-1',
    release: '1.2.3',
    transaction: 'GET /orders/:id',
    request: { method: 'GET', url: 'https://shop.example/orders/7' },
    user: { id: '7' },
    tags: { code: 'E_CONNECTION_LOST', request: 'r1' },
    extra: {
      interface: 'WPI',
      attempt: 2,
      properties: { 'TypeError.order': '7', 'FrameworkError.code': "'E_CONNECTION_LOST'" },
    },
  })
  assert.deepEqual(recordIn(contexts, 'trace'), {
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    span_id: 'b7ad6b7169203331',
  })
  assert.equal(recordIn(contexts, 'step')['kind'], 'sql')
  assert.equal(recordIn(contexts, 'step')['name'], 'SELECT')
})

test('the cause comes first, the oldest call too, and own calls have masked source', async () => {
  const values: unknown = recordIn(eventOf(await sampleIncident()), 'exception')['values']
  assert.ok(Array.isArray(values))
  assert.deepEqual(
    values.map(({ type, value, mechanism }) => [type, value, mechanism]),
    [
      ['FrameworkError', 'the connection is lost', { type: 'chained', handled: true }],
      ['TypeError', 'no receipt', { type: 'generic', handled: false }],
    ],
  )
  const frames: unknown = values[1].stacktrace.frames
  assert.ok(Array.isArray(frames))
  const last = frames.at(-1)
  assert.equal(last.function, 'sampleIncident')
  assert.equal(last.filename, 'sample-incident.ts')
  assert.ok(last.lineno > 1 && last.colno > 1)
  assert.equal(last.in_app, true)
  assert.match(last.context_line, /new TypeError\('no receipt'/)
  assert.equal(last.pre_context.length, 5)
  assert.equal(last.post_context.length, 5)
  assert.equal(frames.filter(({ context_line: line }) => line !== undefined).length <= 5, true)
})

test('a throwable that ended the process is fatal, and nothing is said that is not known', () => {
  const event = eventOf(bareIncident())
  assert.equal(event['level'], 'fatal')
  for (const key of ['request', 'user', 'transaction']) assert.equal(key in event, false, key)
  assert.deepEqual(event['tags'], {})
  assert.deepEqual(event['extra'], { origin: 'exception' })
  assert.deepEqual(Object.keys(recordIn(event, 'contexts')), ['runtime'])
})

test('the address of the client is not sent', async () => {
  assert.doesNotMatch(JSON.stringify(eventOf(await sampleIncident())), /203\.0\.113\.9/)
})

test('an event stays below the megabyte that Sentry takes, however large its error is', () => {
  const incident = bareIncident()
  const [one] = incident.chain
  const [frame] = one?.frames ?? []
  assert.ok(one !== undefined && frame !== undefined)
  const frames = Array.from({ length: 32 }, () => ({ ...frame, call: 'x'.repeat(1_900) }))
  const large = { ...one, message: 'x'.repeat(8_192), frames }
  const context = { rows: 'x'.repeat(100_000), more: ['x'.repeat(100_000)] }
  const whole = { ...incident, context, chain: [large, large, large, large, large] }
  const text = sentryEnvelope(whole, sampleSource, nowMs)
  assert.ok(text.length < 900_000, String(text.length))
  assert.match(text, /"rows":"\[too large\]"/)
})

const frame = (given: Partial<Frame>): Frame => ({
  call: 'Shop.sell',
  file: '/shop/orders/sell.ts',
  line: 12,
  column: 3,
  origin: Origins.Application,
  ...given,
})

test('the oldest call comes first; own code is told from packages and Node', () => {
  const shown = sentryFrames(
    [
      frame({}),
      frame({
        call: '',
        file: '/shop/node_modules/pg/lib/client.js',
        origin: Origins.Vendor,
        line: 7,
        column: 1,
      }),
      frame({ call: 'new Promise', file: '<anonymous>', line: 0, column: 0, origin: Origins.Node }),
    ],
    '/shop',
  )
  assert.deepEqual(shown, [
    { function: 'new Promise', filename: '<anonymous>', in_app: false },
    {
      function: '?',
      filename: 'node_modules/pg/lib/client.js',
      lineno: 7,
      colno: 1,
      in_app: false,
    },
    { function: 'Shop.sell', filename: 'orders/sell.ts', lineno: 12, colno: 3, in_app: true },
  ])
})

test('own code is shown with its source, without the secrets in it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-frames-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sell.ts')
  const lines = [
    `const apiKey = 'hunter2'`,
    `const options = { "password": "hunter2", token: \`hunter2\`, name: 'ada' }`,
    `const url = 'https://ada:hunter2@host/'`,
    `throw new Error('sold out')`,
    `// ${'x'.repeat(500)}`,
  ]
  writeFileSync(file, lines.join('\n'))
  assert.deepEqual(sentryFrames([frame({ file, line: 4 })], folder), [
    {
      function: 'Shop.sell',
      filename: 'sell.ts',
      lineno: 4,
      colno: 3,
      in_app: true,
      pre_context: [
        `const apiKey = '[redacted]'`,
        `const options = { "password": "[redacted]", token: \`[redacted]\`, name: 'ada' }`,
        `const url = 'https://[redacted]@host/'`,
      ],
      context_line: `throw new Error('sold out')`,
      post_context: [`// ${'x'.repeat(197)}`],
    },
  ])
})
