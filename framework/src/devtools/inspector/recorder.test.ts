import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Activity, ActivityKinds } from '../../activity/activity.ts'
import type { SpanIds } from '../../activity/activity.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import { StepKinds } from '../../activity/step.ts'
import { Steps } from '../../activity/steps.ts'
import { Channel } from '../../logs/channel.ts'
import { trace } from '../../tracing/trace.ts'
import type { ActivityRecord, ActivityOutcome } from './activity-record.ts'
import { recordedLines, Recorder } from './recorder.ts'

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Request
  readonly id = 'r1'
  readonly title = 'GET /orders/:id'
  readonly account = '7'
}

/** Like those of tracing. */
class OpenSpan implements SpanIds {
  readonly request: unknown
  readonly cookie = 'hunter22'

  constructor(request: unknown) {
    this.request = request
  }

  get traceId(): string {
    return 'a'.repeat(32)
  }

  get spanId(): string {
    return 'b'.repeat(16)
  }
}

function portOf(address: AddressInfo | string | null): number {
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

const facts: ActivityOutcome = {
  subject: 'GET /orders/7',
  status: '200',
  failed: false,
  phases: [],
  tables: [],
}

function recording(t: TestContext): {
  readonly recorder: Recorder
  readonly steps: Steps
  readonly work: Work
  readonly kept: () => readonly ActivityRecord[]
} {
  const records = new Map<object, () => ActivityRecord>()
  const recorder = new Recorder((key, record) => void records.set(key, record), 4)
  const steps = new Steps()
  t.after(recorder.start(steps))
  const work = new Work()
  return { recorder, steps, work, kept: () => [...records.values()].map((record) => record()) }
}

test('spans of the project and what it fetched are steps, also while tracing is off', async (t) => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/missing' ? 404 : 200).end('ok')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const port = portOf(server.address())
  const origin = `http://127.0.0.1:${port}`
  const records = new Map<object, () => ActivityRecord>()
  const recorder = new Recorder((key, record) => void records.set(key, record), 0)
  t.after(recorder.start())
  const work = new Work()
  recorder.begin(work)
  await CurrentWork.runActivity(work, async () => {
    await trace('price list', async () => {
      await (await fetch(`${origin}/prices?key=hunter22`)).text()
      await (await fetch(`${origin}/missing`)).text()
    })
    assert.throws(() =>
      trace('broken', () => {
        throw new Error('no')
      }),
    )
  })
  // Nobody follows it.
  await (await fetch(origin)).text()
  recorder.end(work, () => facts)
  const [record] = Array.from(records.values(), (make) => make())
  assert.deepEqual(
    record?.steps.map(({ kind, name, text, failure }) => [kind, name, record.texts[text], failure]),
    [
      ['fetch', 'GET', origin, null],
      ['fetch', 'GET', origin, '404'],
      ['span', 'price list', undefined, null],
      ['span', 'broken', undefined, 'error'],
    ],
  )
  const [fetched, , span] = record.steps
  assert.ok(fetched !== undefined && span !== undefined && span.durationMs >= fetched.durationMs)
})

test('a record tells the steps, lines and errors of its activity', (t) => {
  const { recorder, steps, work, kept } = recording(t)
  const log = new Channel('shop', { sinks: [recordedLines], clock: () => 5 })
  recorder.begin(work)
  assert.equal(work.recorded, true)
  CurrentWork.runActivity(work, () => {
    steps.begin(StepKinds.Sql, 'SELECT', 'SELECT 1')?.end(1, null)
    steps.begin(StepKinds.Sql, 'SELECT', 'SELECT 1')?.end(1, null)
    steps.begin(StepKinds.Cache, 'hit')?.end(0, null)
    log.warn('no stock', { item: 5 })
    recorder.report(new Error('sold out'), { interface: 'WPI' })
  })
  assert.deepEqual(kept(), [])
  recorder.end(work, () => facts)
  const [record] = kept()
  assert.equal(record?.title, 'GET /orders/:id')
  assert.equal(record.account, '7')
  assert.equal(record.statements, 2)
  assert.deepEqual(record.texts, ['SELECT 1'])
  assert.deepEqual(
    record.steps.map(({ kind, name, text, count }) => [kind, name, text, count]),
    [
      ['sql', 'SELECT', 0, 1],
      ['sql', 'SELECT', 0, 1],
      ['cache', 'hit', -1, 0],
    ],
  )
  assert.deepEqual(record.lines, [
    { at: 5, level: 'WARN', channel: 'shop', message: 'no stock', context: '{\n  "item": 5\n}' },
  ])
  assert.equal(record.incidents[0]?.chain[0]?.message, 'sold out')
})

test('what happens after the response is added to the record', (t) => {
  const { recorder, steps, work, kept } = recording(t)
  recorder.begin(work)
  const mail = CurrentWork.runActivity(work, () => steps.begin(StepKinds.Mail, 'file', 'a@b'))
  recorder.end(work, () => facts)
  assert.equal(kept()[0]?.steps.length, 0)
  mail?.end(0, null)
  assert.deepEqual(kept()[0]?.texts, ['a@b'])
  assert.equal(kept().length, 1)
})

test('the line of the request log is not repeated in a record, and does not count as an event', (t) => {
  const { recorder, work, kept } = recording(t)
  recorder.begin(work)
  CurrentWork.runActivity(work, () => {
    new Channel('requests', { sinks: [recordedLines] }).info('GET /orders/:id')
  })
  assert.equal(recorder.isIdle(work), true)
  recorder.end(work, () => facts)
  assert.deepEqual(kept()[0]?.lines, [])
})

test('a statement that one line repeats is marked, the parts of one call are not', (t) => {
  const { recorder, steps, work, kept } = recording(t)
  const caller = { file: '/shop/orders.ts', line: 12, column: 3, call: 'list' }
  const select = (table: string): void => {
    steps.ended({
      kind: StepKinds.Sql,
      name: 'SELECT',
      text: `SELECT * FROM ${table} WHERE id = ?`,
      context: CurrentWork.context(),
      startMs: 0,
      durationMs: 1,
      count: 1,
      failure: null,
      // These tests are not the code of a project.
      caller,
    })
  }
  recorder.begin(work)
  CurrentWork.runActivity(work, () => {
    for (let at = 0; at < 4; at += 1) select('users')
    for (let at = 0; at < 3; at += 1) select('tags')
    for (let at = 0; at < 9; at += 1) steps.continuing(() => select('lines'))
  })
  recorder.end(work, () => facts)
  assert.deepEqual(
    kept()[0]?.repeats.map(({ statement, count }) => [statement, count]),
    [['SELECT * FROM users WHERE id = ?', 4]],
  )
})

test('a record has the ids of a span, not the span, which refers to the request', (t) => {
  const { recorder, work, kept } = recording(t)
  const span = new OpenSpan(work)
  work.span = span
  recorder.begin(work)
  CurrentWork.runActivity(work, () => recorder.report(new Error('sold out'), {}))
  recorder.end(work, () => facts)
  const json = JSON.stringify(kept())
  assert.ok(!json.includes('hunter22'))
  const [record] = JSON.parse(json)
  const { traceId, spanId } = span
  assert.deepEqual(record.span, { traceId, spanId })
  assert.deepEqual(record.incidents[0].span, { traceId, spanId })
})

test('activities that were not begun leave no trace', (t) => {
  const { recorder, steps, work, kept } = recording(t)
  CurrentWork.runActivity(work, () => {
    steps.begin(StepKinds.Sql, 'SELECT', 'SELECT 1')?.end(1, null)
    recorder.report(new Error('own'), {})
    recorder.line('{}')
  })
  recorder.end(work, () => assert.fail('nobody asked for it'))
  assert.deepEqual(kept(), [])
})

test('a record has a limit, and says how much was not kept', (t) => {
  const { recorder, steps, work, kept } = recording(t)
  const log = new Channel('shop', { sinks: [recordedLines] })
  recorder.begin(work)
  CurrentWork.runActivity(work, () => {
    for (let at = 0; at < 1_000; at += 1) {
      steps.begin(StepKinds.Sql, 'SELECT', `SELECT ${at} ${'x'.repeat(5_000)}`)?.end(1, null)
      log.info('x'.repeat(1_000))
      recorder.report(new Error(`error ${at}`), {})
    }
  })
  recorder.end(work, () => facts)
  const [record] = kept()
  assert.equal(record?.statements, 1_000)
  assert.ok(JSON.stringify(record).length < 250_000)
  assert.ok(record.incidents.length <= 3)
  const { steps: dropped, lines, incidents } = record.dropped
  assert.equal(record.steps.length + dropped, 1_000)
  assert.equal(record.lines.length + lines, 1_000)
  assert.equal(record.incidents.length + incidents, 1_000)
})

test('secrets in statements, log lines and errors are masked; placeholders stay', (t) => {
  const { recorder, steps, work, kept } = recording(t)
  const log = new Channel('shop', { sinks: [recordedLines] })
  recorder.begin(work)
  CurrentWork.runActivity(work, () => {
    steps.begin(StepKinds.Sql, 'SELECT', 'SELECT 1 WHERE token=? AND id=$1')?.end(1, null)
    steps.begin(StepKinds.Sql, 'UPDATE', `UPDATE users SET password='hunter22'`)?.end(1, null)
    log.info('to https://ada:hunter22@example.org', { password: 'hunter22' })
    recorder.report(new Error('password=hunter22'), { token: 'hunter22' })
  })
  recorder.end(work, () => facts)
  assert.ok(!JSON.stringify(kept()).includes('hunter22'))
  assert.equal(kept()[0]?.texts[0], 'SELECT 1 WHERE token=? AND id=$1')
})

test('while nothing is recorded, lines go nowhere', (t) => {
  const { recorder } = recording(t)
  recorder.start()()
  assert.equal(Recorder.Instance, null)
  recordedLines.write('{}')
})
