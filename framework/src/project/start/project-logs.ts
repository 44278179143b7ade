import { join } from 'node:path'
import { callSiteIn, shownCaller } from '../../activity/caller.ts'
import { lateModule } from '../../base/late-module.ts'
import type * as RecordedLines from '../../devtools/inspector/recorder.ts'
import type { ServerValues } from '../../http/server/server-settings.ts'
import type { Channel } from '../../logs/channel.ts'
import { fileSink } from '../../logs/file-sink.ts'
import { jsonSink } from '../../logs/stream-writer.ts'
import { Logs } from '../../logs/logs.ts'
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

interface OpenLogsOptions {
  /** Folder of the project. */
  readonly root: string
  readonly settings: Pick<ServerValues, 'logLevel' | 'logFile' | 'keepRequests'>
  readonly environment: Environments
  /** @default process.stdout */
  readonly output?: LogOutput
}

/**
 * The logs of a project: readable lines on a screen, JSON lines elsewhere; with `LOG_FILE` also a file
 * per channel in `storage/logs`, for `exceptions` and `security` always.
 */
export function openLogs(options: OpenLogsOptions): Logs {
  const { root, settings, output = process.stdout } = options
  const { isTTY = false } = output
  const sink = isTTY
    ? terminalSink({ stream: output, colour: output.hasColors?.() ?? false })
    : jsonSink(output)
  const everywhere = [sink, ...recordedLines(options)]
  const file = (channel: string): Sink => fileSink(join(root, 'storage', 'logs', `${channel}.log`))
  return new Logs({
    level: settings.logLevel,
    sinks: (channel) =>
      settings.logFile || alwaysInFiles.has(channel) ? [...everywhere, file(channel)] : everywhere,
  })
}

/** The sink for the lines of recorded requests; none, and nothing loaded, if there are no such requests. */
function recordedLines({ environment, settings }: OpenLogsOptions): readonly Sink[] {
  const records = environment === Environments.Development || settings.keepRequests
  return records ? [loadRecorder().recordedLines] : []
}

/**
 * Logs warnings of this process, such as a metric with too many series, which would otherwise appear
 * only on stderr, with the line of the project that has caused it. Returns a function that stops it.
 */
export function logWarnings(channel: Channel, root: string): () => void {
  const listener = (warning: Error): void => {
    const { name, message } = warning
    const site = callSiteIn(warning)
    const caller = site === null ? null : shownCaller(site, root)
    channel.warn(message, { warning: name, ...(caller !== null && { caller }) })
  }
  process.on('warning', listener)
  return () => void process.off('warning', listener)
}
