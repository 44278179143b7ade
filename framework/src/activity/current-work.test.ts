import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { LogContext } from '../logs/log-context.ts'
import { Activity, ActivityKinds } from './activity.ts'
import { CurrentWork } from './current-work.ts'

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Job
  readonly id = 'j1'
  readonly title = 'mails'
  readonly account = null
}

const span = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }

test('log lines tell the activity and the innermost span', async () => {
  const activity = new Work()
  await CurrentWork.runActivity(activity, async () => {
    await turn()
    assert.deepEqual(LogContext.current(), { job: 'j1' })
    const fields = CurrentWork.runSpan(span, () =>
      LogContext.run({ order: 5 }, () => LogContext.current()),
    )
    assert.deepEqual(fields, { job: 'j1', trace: span.traceId, span: span.spanId, order: 5 })
    assert.deepEqual(LogContext.current(), { job: 'j1' })
  })
  assert.deepEqual(LogContext.current(), {})
})

test('an activity starts in its own root span, without the fields of what started it', () => {
  const activity = new Work()
  activity.span = span
  const fields = LogContext.run({ request: 'r1' }, () =>
    CurrentWork.runActivity(activity, () => LogContext.current()),
  )
  assert.deepEqual(fields, { job: 'j1', trace: span.traceId, span: span.spanId })
})

test('requests are followed while something needs it', () => {
  const before = CurrentWork.isFollowed
  const [stop, other] = [CurrentWork.follow(), CurrentWork.follow()]
  assert.equal(CurrentWork.isFollowed, true)
  stop()
  stop()
  assert.equal(CurrentWork.isFollowed, true)
  other()
  assert.equal(CurrentWork.isFollowed, before)
})

test('a span that is made late is made once, when somebody asks for it', () => {
  const activity = new Work()
  let made = 0
  activity.lateSpan = () => {
    made += 1
    return span
  }
  assert.equal(activity.hasSpan, false)
  CurrentWork.runActivity(activity, () => {
    assert.equal(CurrentWork.context().span, span)
    assert.deepEqual(LogContext.current(), { job: 'j1', trace: span.traceId, span: span.spanId })
  })
  assert.equal(made, 1)
})
