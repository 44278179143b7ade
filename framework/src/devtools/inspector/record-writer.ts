import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityRecord } from './activity-record.ts'
import type { RecordFile } from './record-file.ts'

/** Options of `RecordWriter`. */
export interface RecordWriterOptions {
  /** Records that wait at most; later ones are dropped until the file is written. @default 200 */
  readonly maxWaiting?: number
  /** Until the first write after a record. @default 100 */
  readonly pauseMs?: number
}

/** After a write that failed. */
const failedPauseMs = 500
/** Attempts when the process ends. */
const maxLastAttempts = 10

/**
 * Writes records behind the work that they are about, many at a time. A file that is locked or broken
 * costs only the records.
 */
export class RecordWriter {
  readonly #file: Pick<RecordFile, 'write' | 'close'>
  readonly #maxWaiting: number
  readonly #pauseMs: number
  #waiting = new Map<object, () => ActivityRecord>()
  #timer: NodeJS.Timeout | null = null

  constructor(file: Pick<RecordFile, 'write' | 'close'>, options: RecordWriterOptions = {}) {
    this.#file = file
    this.#maxWaiting = options.maxWaiting ?? 200
    this.#pauseMs = options.pauseMs ?? 100
  }

  /** Adds a record; it is made when it is written. A later one with the same key replaces it. False if too many wait. */
  readonly keep = (key: object, record: () => ActivityRecord): boolean => {
    if (this.#waiting.size >= this.#maxWaiting && !this.#waiting.has(key)) return false
    this.#waiting.set(key, record)
    this.#schedule(this.#pauseMs)
    return true
  }

  /** Writes what waits; false if the file could not be written, so that it still waits. */
  flush(): boolean {
    if (this.#waiting.size === 0) return true
    const waiting = this.#waiting
    try {
      this.#file.write([...waiting.values()].map((record) => record()))
      this.#waiting = new Map()
      return true
    } catch {
      return false
    }
  }

  /** Writes what waits, if that is possible within half a second, and closes the file. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (let attempt = 1; !this.flush() && attempt < maxLastAttempts; attempt += 1) await sleep(50)
    this.#waiting.clear()
    try {
      this.#file.close()
    } catch {
      // As with writing.
    }
  }

  // At most one timer, which does not keep the process alive.
  #schedule(ms: number): void {
    if (this.#timer !== null) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      if (!this.flush()) this.#schedule(failedPauseMs)
    }, ms).unref()
  }
}
