import type { Sink } from './sink.ts'
import { StreamWriter } from './stream-writer.ts'

/** Options of a sink that writes to a stream. */
export interface StreamSinkOptions {
  /** Called once with a message when lines are dropped. @default writes to standard error */
  readonly report?: (text: string) => void
}

/** Writes the JSON lines unchanged to a stream, such as `process.stdout` under a supervisor. */
export function jsonSink(stream: NodeJS.WritableStream, options: StreamSinkOptions = {}): Sink {
  return new StreamWriter(stream, { name: 'json', immediate: false, ...options })
}
