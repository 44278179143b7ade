import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CurrentWork } from '../activity/current-work.ts'
import { StepKinds } from '../activity/step.ts'
import type { Step } from '../activity/step.ts'
import { ActiveSpan } from './active-span.ts'
import { SpanBatch } from './span-batch.ts'
import { LocalTrace } from './local-trace.ts'
import { SpanKinds } from './span.ts'
import { exportStep } from './step-span.ts'

const text = 'select "id" from "items"'

/** Name and attributes of a step, as exported. */
function exported(step: Partial<Step>): { name: string; attributes: Record<string, string> } {
  const batch = new SpanBatch('{}')
  const enqueue = batch.add.bind(batch)
  const trace = new LocalTrace({ enqueue, countDropped() {}, countFailed() {} }, null)
  const parent = new ActiveSpan(trace, null, 'request', SpanKinds.Server, 1)
  const whole: Step = {
    kind: StepKinds.Sql,
    name: 'SELECT',
    text,
    system: 'sqlite',
    context: CurrentWork.context(),
    startMs: 2,
    durationMs: 1,
    count: 1,
    failure: null,
    caller: null,
    ...step,
  }
  exportStep(whole, parent)
  const { resourceSpans } = JSON.parse(batch.end().toString())
  const { name, attributes } = resourceSpans[0].scopeSpans[0].spans[0]
  const pairs: [string, string][] = attributes.map(
    ({ key, value }: { key: string; value: { stringValue: string } }) => [key, value.stringValue],
  )
  return { name, attributes: Object.fromEntries(pairs) }
}

test('steps with the same text are told apart by database, name and kind', () => {
  for (const system of ['sqlite', 'postgresql', 'sqlite']) {
    assert.equal(exported({ system }).attributes['db.system.name'], system)
  }
  for (const name of ['GET', 'DEL', 'GET']) {
    assert.equal(exported({ kind: StepKinds.Redis, name, text: '', system: '' }).name, name)
  }
  for (const kind of [StepKinds.Redis, StepKinds.Push]) {
    const { name } = exported({ kind, name: 'mails', text: '', system: '' })
    assert.equal(name, kind === StepKinds.Redis ? 'mails' : 'send mails')
  }
  const oddNames = ['OTHER', 'CALL'].map((name) => exported({ name, text: '-- nothing' }).name)
  assert.deepEqual(oddNames, ['OTHER', 'CALL'])
})

test('a step that failed says so, whether or not the same step succeeded before', () => {
  const { attributes } = exported({})
  assert.equal(attributes['error.type'], undefined)
  const failed = exported({ failure: 'E_DATABASE' })
  assert.deepEqual(failed.attributes, { ...attributes, 'error.type': 'E_DATABASE' })
  assert.equal(exported({}).attributes['error.type'], undefined)
})

test('an operation of a disk names the disk and itself, never a key', () => {
  const { name, attributes } = exported({
    kind: StepKinds.Storage,
    name: 'put',
    text: '',
    system: 's3',
  })
  assert.equal(name, 'storage put')
  assert.deepEqual(attributes, {
    'framework.storage.system': 's3',
    'framework.storage.operation': 'put',
  })
})
