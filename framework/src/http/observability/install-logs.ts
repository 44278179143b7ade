import { loggedRepeats, requestLogMode } from '../../logs/logs-settings.ts'
import type { ServerValues } from '../server/server-settings.ts'
import { Environments } from '../../settings/environments.ts'
import { shownCaller } from '../../activity/caller.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import { keepFailedSteps } from '../../activity/failed-step.ts'
import { keepFetchCallers } from '../../activity/fetch-calls.ts'
import {
  countRepeats,
  repeatedStatements,
  repeatFix,
  repeatMessage,
} from '../../activity/repeated-statements.ts'
import { Steps } from '../../activity/steps.ts'
import { Emitter } from '../../events/emitter.ts'
import type { Logs } from '../../logs/logs.ts'
import { SlowStatements } from '../../logs/slow-statements.ts'
import type { ClosingHost } from '../../base/close-services.ts'
import { ListPlanLog } from '../lists/list-plan-log.ts'
import { RequestEvents } from '../request/request-events.ts'
import { RequestLog } from './request-log.ts'

/** What the logs of requests and statements depend on. */
export interface InstallLogsOptions {
  readonly logs: Logs
  readonly settings: ServerValues
  readonly environment: Environments
  /** Folder of the project. */
  readonly root: string
}

/** Logs requests, slow statements and repeated statements as configured, until the server closes. */
export function installLogs(host: ClosingHost, options: InstallLogsOptions): void {
  const { logs, settings, environment } = options
  watchStatements(host, options)
  const mode = requestLogMode(settings.requestLog, environment)
  // Nothing is measured for lines that would not be written.
  if (mode !== 'off' && logs.channel('requests').isEnabled('warn')) {
    const paths = environment === Environments.Development
    // The screen of a developer shows a request at once.
    const peer = settings.requestLogPeer
    const log = new RequestLog({ logs, mode, peer, paths, batches: !paths })
    host.onClose(() => log.close())
  }
  if (environment === Environments.Development && logs.channel('queries').isEnabled('warn')) {
    const log = new ListPlanLog({ logs })
    host.onClose(() => log.close())
  }
  const min = loggedRepeats(settings.nPlusOne, environment)
  if (min > 0 && logs.channel('queries').isEnabled('warn')) {
    logRepeatedStatements(host, min, options)
  }
}

/** Logs slow statements as configured, and keeps failed ones for reports, until the host closes. */
export function watchStatements(host: ClosingHost, options: InstallLogsOptions): void {
  const { logs, settings, environment, root } = options
  const { slowQueryMs: ms } = settings
  // For the log, and for the debug page.
  if (logs.channel('exceptions').isEnabled('error') || environment === Environments.Development) {
    host.onClose(Steps.Instance.watch(keepFailedSteps))
    host.onClose(keepFetchCallers())
  }
  if (ms === 0 || !logs.channel('queries').isEnabled('warn')) return
  const log = new SlowStatements({ logs, ms, root })
  host.onClose(() => log.close())
}

/** Lines about repeated statements for one request. */
const maxRepeats = 3

/** Logs at the end of each request which statements it repeated from one line (N+1), from so many times on. */
function logRepeatedStatements(
  host: ClosingHost,
  min: number,
  { logs, root }: InstallLogsOptions,
): void {
  const channel = logs.channel('queries')
  host.onClose(CurrentWork.follow())
  host.onClose(Steps.Instance.watch(countRepeats))
  const stop = Emitter.Instance.listen(RequestEvents.Handled, ({ activity }) => {
    if (activity === null) return
    for (const repeated of repeatedStatements(activity, min).slice(0, maxRepeats)) {
      const { statement, count, caller, durationMs } = repeated
      channel.warn(repeatMessage(repeated, root), {
        statement,
        count,
        ms: Math.round(durationMs * 100) / 100,
        caller: shownCaller(caller, root),
        fix: repeatFix(repeated),
        title: activity.title,
        request: activity.id,
      })
    }
  })
  host.onClose(stop)
}
