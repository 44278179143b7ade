import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributesOf } from '../../tests/support/decode-otlp.ts'
import { answer, startCollector } from '../../tests/support/fake-collector.ts'
import { sampleTracing } from '../../tests/support/sample-tracing.ts'
import { ScheduleBench } from '../../tests/support/schedule-bench.ts'
import { spansIn } from '../../tests/support/spans-in.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { createTracing } from '../tracing/tracing.ts'
import { task } from './task.ts'

test('a run is an activity and a trace of its own, which tells its outcome', async (t) => {
  const collector = await startCollector(t, answer(200))
  const tracing = createTracing({ ...sampleTracing, endpoint: collector.url }).start()
  const activities: (readonly unknown[])[] = []
  const bench = new ScheduleBench('2026-01-01T10:00:30Z')
  const runner = bench.runner([
    task('broken', { every: 60 }).run<null>(() => {
      const { activity } = CurrentWork.context()
      activities.push([activity?.kind, activity?.title, activity?.span !== null])
      throw new TypeError('no')
    }),
  ])
  await runner.register()
  await bench.at('2026-01-01T10:01:00Z', runner)
  await tracing.close()
  assert.deepEqual(activities, [['task', 'broken', true]])
  const [span, ...others] = spansIn(collector)
  assert.ok(span !== undefined && others.length === 0)
  assert.equal(span.name, 'task broken')
  const attributes = attributesOf(span)
  assert.equal(attributes['framework.task.due'], '2026-01-01T10:01:00.000Z')
  assert.equal(attributes['framework.task.outcome'], 'failed')
})
