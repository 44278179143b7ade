import { FrameworkError } from '../../src/base/errors.ts'
import { Activity, ActivityKinds } from '../../src/activity/activity.ts'
import { CurrentWork } from '../../src/activity/current-work.ts'
import { StepKinds } from '../../src/activity/step.ts'
import { Steps } from '../../src/activity/steps.ts'
import { incidentOf } from '../../src/incidents/incident.ts'
import type { Incident } from '../../src/incidents/incident.ts'
import type { ReportSource } from '../../src/incidents/incident-target.ts'

/** Epoch seconds of the sample. */
export const sampleTime = 1_700_000_000.25

/** The folder of the tests, which stands for that of a project. */
export const sampleRoot: string = import.meta.dirname

/** Where the sample comes from. */
export const sampleSource: ReportSource = {
  service: 'shop',
  release: '1.2.3',
  environment: 'production',
  host: 'till-1',
  url: 'https://shop.example',
  root: sampleRoot,
  attributes: {},
}

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Request
  readonly id = 'r1'
  readonly title = 'GET /orders/:id'
  readonly account = '7'
  override lateSpan = () => ({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
  })
}

/** A failed request with everything: a cause with a code, a failed statement, an account, a span. */
export async function sampleIncident(): Promise<Incident> {
  const steps = new Steps()
  steps.watch({ ended() {} })
  const cause = new FrameworkError('E_CONNECTION_LOST', 'the connection is lost')
  await steps.measure(StepKinds.Sql, 'SELECT', () => Promise.reject(cause)).catch(() => undefined)
  const error = Object.assign(new TypeError('no receipt', { cause }), { order: 7 })
  const context = {
    interface: 'WPI',
    method: 'GET',
    URI: '/orders/7',
    // Not as one text: exports show this source.
    peer: [203, 0, 113, 9].join('.'),
    request: 'r1',
    attempt: 2,
  }
  return CurrentWork.runActivity(new Work(), () => incidentOf(error, context, sampleTime))
}

/** A throwable outside of any work, which ended the process. */
export function bareIncident(): Incident {
  return incidentOf(new Error('alone'), { origin: 'exception' }, sampleTime)
}
