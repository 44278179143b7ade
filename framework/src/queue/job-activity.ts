import { Activity, ActivityKinds } from '../activity/activity.ts'
import type { LeasedJob } from './job-store.ts'

/** One attempt of a job. */
export class JobActivity extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Job
  readonly id: string
  readonly title: string
  readonly account = null
  readonly attempt: number

  constructor({ queue, id, attempt }: LeasedJob) {
    super()
    this.id = id
    this.title = queue
    this.attempt = attempt
  }
}
