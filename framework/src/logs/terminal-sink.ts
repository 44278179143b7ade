import type { Sink } from './sink.ts'
import { StreamWriter } from './stream-writer.ts'
import type { StreamSinkOptions } from './json-sink.ts'
import { terminalLine } from './terminal-line.ts'

/** Options of `terminalSink`. */
export interface TerminalSinkOptions extends StreamSinkOptions {
  /** @default process.stdout */
  readonly stream?: NodeJS.WritableStream
  /** @default false */
  readonly colour?: boolean
}

/** Writes each line immediately in readable form, without raw control characters. */
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
