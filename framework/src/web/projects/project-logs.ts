import { join } from 'node:path'
import type { ServerValues } from '../../app/config/server-scope.ts'
import { fileSink } from '../../services/logs/file-sink.ts'
import { jsonSink } from '../../services/logs/json-sink.ts'
import { Logs } from '../../services/logs/logs.ts'
import { terminalSink } from '../../services/logs/terminal-sink.ts'

/**
 * The logs of a project: lines for people on a screen, JSON lines anywhere else, and with
 * `LOG_FILE` a file for each channel in `storage/logs`.
 */
export function openLogs(root: string, { logLevel, logFile }: ServerValues): Logs {
  const { stdout } = process
  const output = stdout.isTTY ? terminalSink({ colour: stdout.hasColors() }) : jsonSink(stdout)
  const file = (channel: string): string => join(root, 'storage', 'logs', `${channel}.log`)
  return new Logs({
    level: logLevel,
    sinks: (channel) => (logFile ? [output, fileSink(file(channel))] : [output]),
  })
}
