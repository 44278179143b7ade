export { Channel, type ChannelOptions } from '../services/logs/channel.ts'
export {
  exceptionsReporter,
  type ExceptionsReporterOptions,
} from '../services/logs/exceptions-reporter.ts'
export { fileSink, type FileSinkOptions } from '../services/logs/file-sink.ts'
export { jsonSink, type StreamSinkOptions } from '../services/logs/json-sink.ts'
export { Levels, type Level } from '../services/logs/level.ts'
export { LogContext, type LogFields } from '../services/logs/log-context.ts'
export { Logs, type LogsOptions } from '../services/logs/logs.ts'
export type { Sink } from '../services/logs/sink.ts'
export { terminalSink, type TerminalSinkOptions } from '../services/logs/terminal-sink.ts'
