import { Activity, ActivityKinds } from '../../activity/activity.ts'
import type { ReportContext, Throwables } from '../../errors/throwables/throwables.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import { loggedId } from './security-events.ts'
import type { Request } from './request.ts'
import { shownPath } from './shown-path.ts'

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

/**
 * Passes a throwable to the reporters in the context of its request, so that they know its route and
 * account even if nothing else follows requests.
 */
export function reportInRequest(
  throwables: Throwables,
  thrown: unknown,
  request: Request | null,
  more: ReportContext = {},
): void {
  const notify = (): void => throwables.notify(thrown, { ...reportContext(request), ...more })
  if (request === null) return notify()
  const activity = request.activity ?? new RequestActivity(request)
  if (CurrentWork.context().activity === activity) notify()
  else CurrentWork.runActivity(activity, notify)
}

function reportContext(request: Request | null): ReportContext {
  if (request === null) return { interface: 'WPI' }
  return {
    interface: 'WPI',
    method: request.method,
    URI: shownPath(request),
    peer: request.peer,
    request: request.id,
  }
}
