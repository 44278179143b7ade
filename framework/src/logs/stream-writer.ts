import { DroppedLines } from './dropped-lines.ts'
import { flushAtExit } from './flush-at-exit.ts'
import type { Sink } from './sink.ts'

const maxWaiting = 16 * 1_024 * 1_024

/** Options of a sink that writes to a stream. */
export interface StreamSinkOptions {
  /** Called once with a message when lines are dropped. @default writes to standard error */
  readonly report?: (text: string) => void
}

/** Writes the JSON lines unchanged to a stream, such as `process.stdout` under a supervisor. */
export function jsonSink(stream: NodeJS.WritableStream, options: StreamSinkOptions = {}): Sink {
  return new StreamWriter(stream, { name: 'json', immediate: false, ...options })
}

/** Options of `StreamWriter`. */
export interface StreamWriterOptions extends StreamSinkOptions {
  /** Name of the stream in error messages. */
  readonly name: string
  /** Write each text immediately, instead of once per turn of the event loop. */
  readonly immediate: boolean
  /** What is written of a line. @default the line itself */
  readonly format?: (line: string) => string
}

/**
 * Writes texts to a stream that it does not own: the stream is never ended. With a slow reader up to
 * 16 MiB are buffered; when the stream is broken, texts are counted as dropped.
 */
export class StreamWriter implements Sink {
  readonly #stream: NodeJS.WritableStream
  readonly #format: (line: string) => string
  readonly #immediate: boolean
  readonly #dropped: DroppedLines
  readonly #removeExitHandler: () => void
  #waiting = ''
  #lines = 0
  #scheduled = false
  #full = false
  #failure: Error | null = null

  constructor(stream: NodeJS.WritableStream, options: StreamWriterOptions) {
    const { name, immediate, report, format = (line: string): string => line } = options
    this.#stream = stream
    this.#format = format
    this.#immediate = immediate
    this.#dropped = new DroppedLines(name, report)
    this.#removeExitHandler = flushAtExit(this)
    stream.on('error', this.#fail)
    stream.on('close', this.#fail)
    stream.on('drain', this.#drained)
  }

  get dropped(): number {
    return this.#dropped.count
  }

  write(line: string): void {
    const text = this.#format(line)
    if (this.#failure !== null) return this.#dropped.add(1, this.#failure)
    if (this.#waiting.length + text.length > maxWaiting) {
      return this.#dropped.add(1, 'its reader is too slow')
    }
    this.#waiting += text
    this.#lines += 1
    if (this.#immediate) this.#push()
    else this.#schedule()
  }

  async flush(): Promise<void> {
    this.flushSync()
    if (this.#failure !== null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#stream.write('', () => resolve())
    await promise
  }

  flushSync(): void {
    this.#full = false
    this.#push()
  }

  async close(): Promise<void> {
    await this.flush()
    this.#removeExitHandler()
    this.#stream.off('error', this.#fail)
    this.#stream.off('close', this.#fail)
    this.#stream.off('drain', this.#drained)
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#push()
    })
  }

  #push(): void {
    const [text, lines] = [this.#waiting, this.#lines]
    if (this.#full || lines === 0 || this.#failure !== null) return
    this.#waiting = ''
    this.#lines = 0
    try {
      this.#full = !this.#stream.write(text, (error) => {
        if (error) this.#dropped.add(lines, error)
      })
    } catch (error) {
      this.#dropped.add(lines, error)
    }
  }

  readonly #drained = (): void => {
    this.#full = false
    this.#push()
  }

  readonly #fail = (error?: unknown): void => {
    this.#failure = error instanceof Error ? error : new Error('the stream is closed')
    this.#dropped.add(this.#lines, this.#failure)
    this.#waiting = ''
    this.#lines = 0
  }
}
