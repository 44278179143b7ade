import { join } from 'node:path'
import type { ServerValues } from '../../app/config/server-scope.ts'
import { fileSink } from '../../services/logs/file-sink.ts'
import { jsonSink } from '../../services/logs/json-sink.ts'
import { Logs } from '../../services/logs/logs.ts'
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
): Logs {
  const { stdout } = process
  const output = stdout.isTTY ? terminalSink({ colour: stdout.hasColors() }) : jsonSink(stdout)
  const everywhere = recent === null ? [output] : [output, recent]
  const file = (channel: string): Sink => fileSink(join(root, 'storage', 'logs', `${channel}.log`))
  return new Logs({
    level: logLevel,
    sinks: (channel) =>
      logFile || channel === 'exceptions' ? [...everywhere, file(channel)] : everywhere,
  })
}
