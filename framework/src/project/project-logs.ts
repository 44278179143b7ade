import { join } from 'node:path'
import type { ServerValues } from '../http/server/server-settings.ts'
import type { PageContext } from '../errors/page/page.ts'
import { fileSink } from '../logs/file-sink.ts'
import { jsonSink } from '../logs/json-sink.ts'
import { Logs } from '../logs/logs.ts'
import type { RecentLines } from '../logs/recent-lines.ts'
import type { Sink } from '../logs/sink.ts'
import { terminalSink } from '../logs/terminal-sink.ts'

/** What an operator looks for after an incident. */
const alwaysInFiles: ReadonlySet<string> = new Set(['exceptions', 'security'])

/** A stream for log lines; if it is a screen it says so. */
export interface LogOutput extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/**
 * The logs of a project: readable lines on a screen, JSON lines elsewhere; with `LOG_FILE` also a file
 * per channel in `storage/logs`, for `exceptions` and `security` always. `others` get all lines.
 */
export function openLogs(
  root: string,
  { logLevel, logFile }: ServerValues,
  others: readonly Sink[],
  output: LogOutput = process.stdout,
): Logs {
  const { isTTY = false } = output
  const sink = isTTY
    ? terminalSink({ stream: output, colour: output.hasColors?.() ?? false })
    : jsonSink(output)
  const everywhere = [sink, ...others]
  const file = (channel: string): Sink => fileSink(join(root, 'storage', 'logs', `${channel}.log`))
  return new Logs({
    level: logLevel,
    sinks: (channel) =>
      logFile || alwaysInFiles.has(channel) ? [...everywhere, file(channel)] : everywhere,
  })
}

/** The log lines of a request as a section of the debug page; empty if there are none. */
export function logSection(recent: RecentLines, request: string): PageContext {
  const lines = recent.of(request)
  if (lines.length === 0) return {}
  return { Log: Object.fromEntries(lines.map((line, at) => [String(at + 1), line])) }
}
