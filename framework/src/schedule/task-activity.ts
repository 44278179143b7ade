import { randomUUID } from 'node:crypto'
import { Activity, ActivityKinds } from '../activity/activity.ts'

/** One run of a task. */
export class TaskActivity extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Task
  readonly id: string = randomUUID()
  readonly title: string
  readonly account = null
  /** The time it is for. */
  readonly due: Date

  constructor(title: string, due: Date) {
    super()
    this.title = title
    this.due = due
  }
}
