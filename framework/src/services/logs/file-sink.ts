import { InvalidArgumentException } from '../../base/errors.ts'
import { Drops } from './drops.ts'
import { flushAtExit } from './flush-at-exit.ts'
import { LogFile } from './log-file.ts'
import type { Sink } from './sink.ts'

const maxWaiting = 32 * 1_024 * 1_024
const LARGEST_BATCH = 256 * 1_024
/** How long a line waits for others. */
const gatherMs = 10

/** How a log file is rotated. */
export interface FileSinkOptions {
  /** A file is rotated before it grows beyond this; 10 MiB unless given. */
  readonly maxBytes?: number
  /** Whether the first line of a day (UTC) starts a new file; true unless given. */
  readonly daily?: boolean
  /** How many rotated files are kept; 7 unless given. */
  readonly keep?: number
  /** Told once, in words, when lines are dropped; standard error by default. */
  readonly report?: (text: string) => void
  /** Epoch milliseconds. */
  readonly nowMs?: () => number
}

/**
 * Appends lines to a file that several processes may share. Lines are gathered and written in the
 * background, whole lines in one append; the file and its folder are made when first needed.
 * @throws InvalidArgumentException when an option is not a sensible number
 */
export function fileSink(path: string, options: FileSinkOptions = {}): Sink {
  const { maxBytes = 10 * 1_024 * 1_024, daily = true, keep = 7, nowMs = Date.now } = options
  atLeast('maxBytes', maxBytes, 1)
  atLeast('keep', keep, 0)
  const drops = new Drops(path, options.report)
  const unrotated = (error: unknown): void => drops.tell('cannot rotate', error)
  const file = new LogFile(path, { maxBytes, daily, keep, nowMs, unrotated })
  return new FileSink(file, Math.min(maxBytes, LARGEST_BATCH), drops)
}

function atLeast(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `fileSink needs ${name} to be a whole number of at least ${least}; got ${value}`,
  )
}

// Our own queue and not pino's SonicBoom: before each append we must look whether another process
// has rotated the file, and SonicBoom writes when it likes, and cannot flush before it is open.
class FileSink implements Sink {
  readonly #file: LogFile
  readonly #batch: number
  readonly #drops: Drops
  readonly #forget: () => void
  #waiting: string[] = []
  #bytes = 0
  #work: Promise<void> | null = null
  #closed = false

  constructor(file: LogFile, batch: number, drops: Drops) {
    this.#file = file
    this.#batch = batch
    this.#drops = drops
    this.#forget = flushAtExit(this)
  }

  get dropped(): number {
    return this.#drops.count
  }

  write(line: string): void {
    if (this.#closed) return this.#drops.add(1, 'it is closed')
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > maxWaiting) return this.#drops.add(1, 'the disk is too slow')
    this.#waiting.push(line)
    this.#bytes += bytes
    this.#work ??= this.#drain()
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
      this.#drops.add(lines.length, error)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.flush()
    this.#forget()
    await this.#file.close()
  }

  async #drain(): Promise<void> {
    // Lines that come close together go out together: each write is a trip to another thread.
    await new Promise((resolve) => setTimeout(resolve, gatherMs))
    while (this.#waiting.length > 0) await this.#writeBatch()
    this.#work = null
  }

  async #writeBatch(): Promise<void> {
    let lines: string[] = []
    try {
      await this.#file.prepare(Math.min(this.#bytes, this.#batch))
      // Taken only now: until here a flushSync still finds them.
      lines = this.#take(this.#batch)
      if (lines.length > 0) await this.#file.append(Buffer.from(lines.join('')))
    } catch (error) {
      if (lines.length === 0) lines = this.#take(Number.POSITIVE_INFINITY)
      this.#drops.add(lines.length, error)
    }
  }

  /** Whole lines from the front, up to `limit` bytes and at least one. */
  #take(limit: number): string[] {
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
