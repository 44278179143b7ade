import { loggedRepeats, requestLogMode } from '../../logs/logs-settings.ts'
import type { ServerValues } from '../server/server-settings.ts'
import { Environments } from '../../settings/environments.ts'
import { keepFailedSteps } from '../../activity/failed-step.ts'
import { Steps } from '../../activity/steps.ts'
import type { Logs } from '../../logs/logs.ts'
import { SlowStatements } from '../../logs/slow-statements.ts'
import type { ClosingHost } from '../../base/close-services.ts'
import { ListPlanLog } from '../lists/list-plan-log.ts'
import { RepeatedStatementLog } from './repeated-statement-log.ts'
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
  const { logs, settings, environment, root } = options
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
    const log = new RepeatedStatementLog({ logs, min, root })
    host.onClose(() => log.close())
  }
}

/** Logs slow statements as configured, and keeps failed ones for reports, until the host closes. */
export function watchStatements(host: ClosingHost, options: InstallLogsOptions): void {
  const { logs, settings, root } = options
  const { slowQueryMs: ms } = settings
  if (logs.channel('exceptions').isEnabled('error')) {
    host.onClose(Steps.Instance.watch(keepFailedSteps))
  }
  if (ms === 0 || !logs.channel('queries').isEnabled('warn')) return
  const log = new SlowStatements({ logs, ms, root })
  host.onClose(() => log.close())
}
