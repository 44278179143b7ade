import { join } from 'node:path'
import type { ServerValues } from '../../app/config/server-scope.ts'
import type { PageContext } from '../../base/debug-page/page.ts'
import { fileSink } from '../../services/logs/file-sink.ts'
import { jsonSink } from '../../services/logs/json-sink.ts'
import { Logs } from '../../services/logs/logs.ts'
import type { RecentLines } from '../../services/logs/recent-lines.ts'
import type { Sink } from '../../services/logs/sink.ts'
import { terminalSink } from '../../services/logs/terminal-sink.ts'

/**
 * The logs of a project: lines for people on a screen, JSON lines anywhere else; with `LOG_FILE` a
 * file for each channel in `storage/logs`, for `exceptions` in any case. `recent` gets all of them.
 */
export function openLogs(
  root: string,
  { logLevel, logFile }: ServerValues,
  recent: Sink | null,
  output: NodeJS.WriteStream = process.stdout,
): Logs {
  const sink = output.isTTY ? terminalSink({ colour: output.hasColors() }) : jsonSink(output)
  const everywhere = recent === null ? [sink] : [sink, recent]
  const file = (channel: string): Sink => fileSink(join(root, 'storage', 'logs', `${channel}.log`))
  return new Logs({
    level: logLevel,
    sinks: (channel) =>
      logFile || channel === 'exceptions' ? [...everywhere, file(channel)] : everywhere,
  })
}

/** What was logged during a request, as a section of the debug page; nothing when nothing was. */
export function logSection(recent: RecentLines, request: string): PageContext {
  const lines = recent.of(request)
  if (lines.length === 0) return {}
  return { Log: Object.fromEntries(lines.map((line, at) => [String(at + 1), line])) }
}
