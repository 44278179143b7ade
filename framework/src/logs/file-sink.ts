import { invalidArgument } from '../base/errors.ts'
import { DroppedLines } from './dropped-lines.ts'
import { flushAtExit } from './flush-at-exit.ts'
import { LogFile } from './log-file.ts'
import type { Sink } from './sink.ts'

const maxWaiting = 32 * 1_024 * 1_024
const maxBatch = 1_024 * 1_024
/** How long lines are collected before they are written. */
const batchDelayMs = 10

/** Options of `fileSink`. */
export interface FileSinkOptions {
  /** A file is rotated before it exceeds this size. @default 10 MiB */
  readonly maxBytes?: number
  /** Whether the first line of a day (UTC) starts a new file. @default true */
  readonly daily?: boolean
  /** How many rotated files are kept. @default 7 */
  readonly keep?: number
  /** Called once with a message when lines are dropped. @default writes to standard error */
  readonly report?: (text: string) => void
  /** Epoch milliseconds. */
  readonly nowMs?: () => number
}

/**
 * Appends lines to a file that several processes may share. Lines are written in batches in the
 * background, whole lines per append; the file and its folder are created when first needed.
 * @throws InvalidArgumentException for an invalid number
 */
export function fileSink(path: string, options: FileSinkOptions = {}): Sink {
  const { maxBytes = 10 * 1_024 * 1_024, daily = true, keep = 7, nowMs = Date.now } = options
  atLeast('maxBytes', maxBytes, 1)
  atLeast('keep', keep, 0)
  const dropped = new DroppedLines(path, options.report)
  const onRotationError = (error: unknown): void => dropped.report('cannot rotate', error)
  const file = new LogFile(path, { maxBytes, daily, keep, nowMs, onRotationError })
  return new FileSink(file, Math.min(maxBytes, maxBatch), dropped)
}

function atLeast(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return
  throw invalidArgument(
    `fileSink needs ${name} to be a whole number of at least ${min}; got ${value}`,
  )
}

// Before each append it is checked whether another process has rotated the file.
class FileSink implements Sink {
  readonly #file: LogFile
  readonly #batch: number
  readonly #dropped: DroppedLines
  readonly #removeExitHandler: () => void
  #waiting: string[] = []
  #bytes = 0
  #work: Promise<void> | null = null
  #closed = false

  constructor(file: LogFile, batch: number, dropped: DroppedLines) {
    this.#file = file
    this.#batch = batch
    this.#dropped = dropped
    this.#removeExitHandler = flushAtExit(this)
  }

  get dropped(): number {
    return this.#dropped.count
  }

  write(line: string): void {
    if (this.#closed) return this.#dropped.add(1, 'it is closed')
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > maxWaiting) return this.#dropped.add(1, 'the disk is too slow')
    this.#waiting.push(line)
    this.#bytes += bytes
    this.#work ??= this.#writeAll()
  }

  async flush(): Promise<void> {
    while (this.#work !== null) await this.#work
  }

  flushSync(): void {
    const lines = this.#take(Number.POSITIVE_INFINITY)
    if (lines.length === 0) return
    try {
      this.#file.appendSync(Buffer.from(lines.join('')))
    } catch (error) {
      this.#dropped.add(lines.length, error)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.flush()
    this.#removeExitHandler()
    await this.#file.close()
  }

  async #writeAll(): Promise<void> {
    // Each write goes through the thread pool, so lines are collected into one.
    await new Promise((resolve) => setTimeout(resolve, batchDelayMs))
    while (this.#waiting.length > 0) await this.#writeBatch()
    this.#work = null
  }

  async #writeBatch(): Promise<void> {
    let lines: string[] = []
    try {
      const bytes = Math.min(this.#bytes, this.#batch)
      await this.#file.prepare(bytes)
      // Taken only now, so that a flushSync before this point still writes them.
      lines = this.#take(bytes)
      if (lines.length > 0) await this.#file.append(Buffer.from(lines.join('')))
    } catch (error) {
      if (lines.length === 0) lines = this.#take(Number.POSITIVE_INFINITY)
      this.#dropped.add(lines.length, error)
    }
  }

  /** Whole lines from the front, up to `limit` bytes and at least one. */
  #take(limit: number): string[] {
    if (this.#bytes <= limit) {
      const all = this.#waiting
      this.#waiting = []
      this.#bytes = 0
      return all
    }
    let count = 0
    let size = 0
    for (const line of this.#waiting) {
      const bytes = Buffer.byteLength(line)
      if (count > 0 && size + bytes > limit) break
      count++
      size += bytes
    }
    this.#bytes -= size
    return this.#waiting.splice(0, count)
  }
}
