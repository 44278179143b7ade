import type { Sink } from './sink.ts'
import { StreamWriter } from './stream-writer.ts'

/** Options of a sink on a stream. */
export interface StreamSinkOptions {
  /** Told once, in words, when lines are dropped; standard error by default. */
  readonly report?: (text: string) => void
}

/** Writes the JSON lines as they are to a stream, such as `process.stdout` under a supervisor. */
export function jsonSink(stream: NodeJS.WritableStream, options: StreamSinkOptions = {}): Sink {
  return new StreamWriter(stream, { name: 'json', immediate: false, ...options })
}
