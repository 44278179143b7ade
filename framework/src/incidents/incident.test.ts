import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrameworkError } from '../base/errors.ts'
import { Activity, ActivityKinds } from '../activity/activity.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { incidentOf } from './incident.ts'

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Request
  readonly id = 'r1'
  readonly title = 'GET /orders/:id'
  readonly account = '7'
}

test('an incident tells the chain, the code, the activity and the failed step', async () => {
  const steps = new Steps()
  steps.watch({ ended() {} })
  const cause = new FrameworkError('E_MAIL', 'the server is away')
  const failing = steps.measure(StepKinds.Mail, 'smtp', () => Promise.reject(cause))
  await failing.catch(() => undefined)
  const error = new Error('no receipt', { cause })
  const incident = CurrentWork.runActivity(new Work(), () =>
    incidentOf(error, { interface: 'WPI', password: 'hunter22' }, 5),
  )
  assert.deepEqual(
    incident.chain.map(({ message }) => message),
    ['no receipt', 'the server is away'],
  )
  assert.equal(incident.code, 'E_MAIL')
  assert.deepEqual(incident.activity, {
    kind: 'request',
    id: 'r1',
    title: 'GET /orders/:id',
    account: '7',
  })
  assert.equal(incident.step?.name, 'smtp')
  assert.equal(incident.context['interface'], 'WPI')
  assert.ok(!JSON.stringify(incident).includes('hunter22'))
})

test('outside of any work there is no activity', () => {
  const incident = incidentOf(new Error('alone'), {}, 5)
  assert.equal(incident.activity, null)
  assert.equal(incident.span, null)
  assert.equal(incident.step, null)
  assert.equal(incident.code, null)
  assert.ok((incident.chain[0]?.frames.length ?? 0) > 0)
})
