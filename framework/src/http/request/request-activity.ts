import { loggedId } from './request-identity.ts'
import { Activity, ActivityKinds } from '../../activity/activity.ts'
import type { Request } from './request.ts'

/** A request that is being handled. */
export class RequestActivity extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Request
  readonly request: Request

  constructor(request: Request) {
    super()
    this.request = request
  }

  get id(): string {
    return this.request.id
  }

  get title(): string {
    const { method, route } = this.request
    return route === null ? method : `${method} ${route}`
  }

  get account(): string | null {
    return loggedId(this.request.identity?.id)
  }
}
