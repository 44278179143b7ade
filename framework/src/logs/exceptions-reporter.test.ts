import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrameworkError } from '../base/errors.ts'
import { Activity, ActivityKinds } from '../activity/activity.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { noteFailedStep } from '../activity/failed-step.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { exceptionsReporter } from './exceptions-reporter.ts'
import { LogContext } from './log-context.ts'
import { Logs } from './logs.ts'
import type { Sink } from './sink.ts'

function recorded(): { logs: Logs; lines: string[]; flushes: () => number } {
  const lines: string[] = []
  let flushes = 0
  const sink: Sink = {
    dropped: 0,
    write: (line) => void lines.push(line),
    flush: () => Promise.resolve(),
    flushSync: () => {
      flushes += 1
    },
    close: () => Promise.resolve(),
  }
  const logs = new Logs({ sinks: [sink], clock: () => 1_700_000_000 })
  return { logs, lines, flushes: () => flushes }
}

class Visit extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Request
  readonly id = 'r1'
  readonly title = 'GET /orders/:id'
  readonly account = '7'
  override lateSpan = () => ({
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
  })
}

const request = { interface: 'WPI', method: 'GET', URI: '/x', peer: '127.0.0.1', request: 'r1' }
const added = ['code', 'stack', 'causes', 'properties', 'route', 'account', 'trace']

test('a throwable is one JSON line: the keys of the specification first, in their order', () => {
  const { logs, lines, flushes } = recorded()
  exceptionsReporter(logs)(new RangeError('too far'), request)
  const { context: written, ...line } = JSON.parse(lines[0] ?? '')
  assert.deepEqual(line, {
    timestamp: 1_700_000_000,
    level: 'ERROR',
    channel: 'exceptions',
    message: 'too far',
    extra: {},
  })
  assert.ok(lines[0]?.endsWith('}\n'))
  assert.deepEqual(Object.keys(written), [
    'class',
    'file',
    'line',
    ...Object.keys(request),
    ...added,
  ])
  assert.equal(written.class, 'RangeError')
  assert.equal(written.file, import.meta.filename)
  assert.ok(written.line > 0)
  assert.ok(written.stack[0].includes('exceptions-reporter.test.ts'))
  assert.equal(flushes(), 0)
})

test('the line tells causes, properties, route, account, trace and the failed statement', () => {
  const { logs, lines } = recorded()
  const steps = new Steps()
  steps.watch({ ended() {} })
  const cause = new FrameworkError('E_DUPLICATE_KEY', 'the name is taken')
  const step = steps.begin(StepKinds.Sql, 'INSERT', "INSERT INTO a VALUES (?, 'ada@a.example')")
  step?.end(0, 'E_DUPLICATE_KEY')
  if (step !== null) noteFailedStep(cause, step)
  const error = Object.assign(new Error('no order', { cause }), { order: 7 })
  CurrentWork.runActivity(new Visit(), () =>
    LogContext.run({ shop: 'x' }, () => exceptionsReporter(logs)(error, request)),
  )
  const { context, extra } = JSON.parse(lines[0] ?? '')
  assert.equal(context.code, 'E_DUPLICATE_KEY')
  assert.deepEqual(
    context.causes.map((each: { class: string; message: string }) => [each.class, each.message]),
    [['FrameworkError', 'the name is taken']],
  )
  assert.deepEqual(context.properties, { order: '7' })
  assert.equal(context.route, '/orders/:id')
  assert.equal(context.account, '7')
  assert.equal(context.trace, '4bf92f3577b34da6a3ce929d0e0e4736')
  assert.equal(context.statement, 'INSERT INTO a VALUES (?, ?)')
  assert.ok(context.durationMs >= 0)
  assert.deepEqual(extra, {
    request: 'r1',
    trace: '4bf92f3577b34da6a3ce929d0e0e4736',
    span: '00f067aa0ba902b7',
    shop: 'x',
  })
})

test('the line of a dying process is written before the reporter returns', () => {
  for (const origin of ['exception', 'fatal']) {
    const { logs, flushes } = recorded()
    exceptionsReporter(logs)(new Error('x'), { origin })
    assert.equal(flushes(), 1, origin)
  }
})

test('nothing is described if the channel writes no errors', () => {
  const { logs, lines } = recorded()
  logs.channel('exceptions').level = 'fatal'
  const error = new Error('x')
  Object.defineProperty(error, 'stack', { get: () => assert.fail('it was described') })
  exceptionsReporter(logs)(error, {})
  assert.deepEqual(lines, [])
})

test('secrets in a message, a cause, a property and a field of the context do not reach the line', () => {
  const { logs, lines } = recorded()
  const cause = new Error('GET https://api.example/?api_key=abc123456')
  const error = new Error('cannot reach redis://user:hunter2@cache/0?token=t0p', { cause })
  Object.assign(error, { password: 'hunter2', options: { clientSecret: 'hunter2' } })
  LogContext.run({ token: 'hunter2' }, () =>
    exceptionsReporter(logs)(error, { ...request, authorization: 'Bearer hunter2' }),
  )
  assert.doesNotMatch(lines.join(''), /hunter2|t0p|abc123456/)
})
