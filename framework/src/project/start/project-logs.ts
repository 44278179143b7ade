import { join } from 'node:path'
import { lateModule } from '../../base/late-module.ts'
import type * as RecordedLines from '../../devtools/inspector/recorder.ts'
import type { PageContext } from '../../errors/page/page.ts'
import type { ServerValues } from '../../http/server/server-settings.ts'
import type { Channel } from '../../logs/channel.ts'
import { fileSink } from '../../logs/file-sink.ts'
import { jsonSink } from '../../logs/json-sink.ts'
import { Logs } from '../../logs/logs.ts'
import type { RecentLines } from '../../logs/recent-lines.ts'
import type { Sink } from '../../logs/sink.ts'
import { terminalSink } from '../../logs/terminal-sink.ts'
import { Environments } from '../../settings/environments.ts'

const loadRecorder = lateModule<typeof RecordedLines>(
  import.meta,
  '../../devtools/inspector/recorder',
)

/** What an operator looks for after an incident. */
const alwaysInFiles: ReadonlySet<string> = new Set(['exceptions', 'security'])

/** A stream for log lines; if it is a screen it says so. */
export interface LogOutput extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/** Options of `openLogs`. */
export interface OpenLogsOptions {
  /** Folder of the project. */
  readonly root: string
  readonly settings: Pick<ServerValues, 'logLevel' | 'logFile'>
  readonly environment: Environments
  /** Gets the last lines of each request; null for nothing. @default null */
  readonly recent?: RecentLines | null
  /** @default process.stdout */
  readonly output?: LogOutput
}

/**
 * The logs of a project: readable lines on a screen, JSON lines elsewhere; with `LOG_FILE` also a file
 * per channel in `storage/logs`, for `exceptions` and `security` always.
 */
export function openLogs(options: OpenLogsOptions): Logs {
  const { root, settings, environment, recent = null, output = process.stdout } = options
  const { isTTY = false } = output
  const sink = isTTY
    ? terminalSink({ stream: output, colour: output.hasColors?.() ?? false })
    : jsonSink(output)
  const everywhere = [sink, ...(recent === null ? [] : [recent]), ...inspectedLines(environment)]
  const file = (channel: string): Sink => fileSink(join(root, 'storage', 'logs', `${channel}.log`))
  return new Logs({
    level: settings.logLevel,
    sinks: (channel) =>
      settings.logFile || alwaysInFiles.has(channel) ? [...everywhere, file(channel)] : everywhere,
  })
}

/** The sink through which the inspector gets log lines; none, and nothing loaded, outside development. */
function inspectedLines(environment: Environments): readonly Sink[] {
  return environment === Environments.Development ? [loadRecorder().recordedLines] : []
}

/**
 * Logs warnings of this process, such as a metric with too many series, which would otherwise appear
 * only on stderr. Returns a function that stops it.
 */
export function logWarnings(channel: Channel): () => void {
  const listener = ({ name, message }: Error): void => channel.warn(message, { warning: name })
  process.on('warning', listener)
  return () => void process.off('warning', listener)
}

/** The log lines of a request as a section of the debug page; empty if there are none. */
export function logSection(recent: RecentLines, request: string): PageContext {
  const lines = recent.of(request)
  if (lines.length === 0) return {}
  return { Log: Object.fromEntries(lines.map((line, at) => [String(at + 1), line])) }
}
