import type { Sink } from './sink.ts'
import { StreamWriter } from './stream-writer.ts'
import type { StreamSinkOptions } from './json-sink.ts'
import { terminalLine } from './terminal-line.ts'

/** Options of the sink for people. */
export interface TerminalSinkOptions extends StreamSinkOptions {
  readonly stream?: NodeJS.WritableStream
  readonly colour?: boolean
}

/** Writes each line for people to read: one line, at once, without raw control characters. */
export function terminalSink({
  stream = process.stdout,
  colour = false,
  ...options
}: TerminalSinkOptions = {}): Sink {
  const writer = new StreamWriter(stream, { name: 'terminal', immediate: true, ...options })
  return {
    get dropped() {
      return writer.dropped
    },
    write: (line) => writer.write(terminalLine(line, colour)),
    flush: () => writer.flush(),
    flushSync: () => writer.flushSync(),
    close: () => writer.close(),
  }
}
