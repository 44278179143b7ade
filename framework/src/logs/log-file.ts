import {
  close,
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  write,
  writeSync,
} from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { explainUnwritable } from '../base/files/explain-unwritable.ts'
import { privateFolder } from '../base/files/private-files.ts'
import { rotate } from './rotate.ts'

const closeFile = promisify(close)
const writeFile = promisify(write)

/** Lines may contain personal data: not readable by every account on the machine. */
export const logFileMode = 0o640

/** When a file is rotated, and how many files are kept. */
export interface LogFileOptions {
  readonly maxBytes: number
  readonly daily: boolean
  readonly keep: number
  readonly nowMs: () => number
  /** Called when the file cannot be rotated; writing continues. */
  readonly onRotationError: (error: unknown) => void
}

interface Opened {
  readonly fd: number
  readonly inode: bigint
  readonly day: string
  /** Size in bytes when it was opened. */
  readonly size: bigint
}

/**
 * A file that grows only by whole appends, which are atomic even across processes. Rotation renames
 * it; processes that still have it open notice before their next append.
 */
export class LogFile {
  readonly #path: string
  readonly #options: LogFileOptions
  #opened: Opened | null = null
  #endsMidLine = false

  constructor(path: string, options: LogFileOptions) {
    this.#path = resolve(path)
    this.#options = options
  }

  /** Opens the file at the path, and rotates it first when it is full or from another day. */
  async prepare(bytes: number): Promise<void> {
    const found = await stat(this.#path, { bigint: true }).catch(() => null)
    const known = found !== null && found.ino === this.#opened?.inode ? this.#opened : null
    const opened = known ?? this.#open()
    const size = Number(known === null ? opened.size : found?.size)
    if (size > 0 && this.#isDue(opened.day, size + bytes)) await this.#rotate(opened)
  }

  async append(bytes: Buffer): Promise<void> {
    const { fd } = this.#opened ?? this.#open()
    const whole = this.#onNewLine(bytes)
    let done = 0
    try {
      while (done < whole.length) done += (await writeFile(fd, whole, done)).bytesWritten
      this.#endsMidLine = false
    } catch (error) {
      if (done > 0) this.#endsMidLine = true
      throw error
    }
  }

  appendSync(bytes: Buffer): void {
    const { fd } = this.#opened ?? this.#open()
    const whole = this.#onNewLine(bytes)
    let done = 0
    while (done < whole.length) done += writeSync(fd, whole, done)
    this.#endsMidLine = false
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    if (opened !== null) await closeFile(opened.fd).catch(() => undefined)
  }

  #isDue(day: string, size: number): boolean {
    const { maxBytes, daily, nowMs } = this.#options
    return size > maxBytes || (daily && day !== dayOf(nowMs()))
  }

  async #rotate({ inode, day }: Opened): Promise<void> {
    const { keep, nowMs, onRotationError } = this.#options
    try {
      if (await rotate({ path: this.#path, inode, day, keep, nowMs: nowMs() })) this.#open()
    } catch (error) {
      onRotationError(error)
    }
  }

  // After a line was cut off by a full disk, the next one must start on a new line.
  #onNewLine(bytes: Buffer): Buffer {
    return this.#endsMidLine ? Buffer.concat([Buffer.from('\n'), bytes]) : bytes
  }

  // Rarely: when the first line comes, and after a rotation.
  #open(): Opened {
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: privateFolder })
      const fd = openSync(this.#path, 'a', logFileMode)
      return this.#use(fd, fstatSync(fd, { bigint: true }))
    } catch (error) {
      throw explainUnwritable(error, dirname(this.#path))
    }
  }

  #use(fd: number, { ino, mode, size, mtimeMs }: BigIntStats): Opened {
    tightenOpen(fd, Number(mode))
    const before = this.#opened
    const day = dayOf(size > 0n ? Number(mtimeMs) : this.#options.nowMs())
    this.#opened = { fd, inode: ino, day, size }
    if (before !== null) closeSync(before.fd)
    return this.#opened
  }
}

/** The file may be from a version that left its permissions to the umask. */
function tightenOpen(fd: number, mode: number): void {
  if ((mode & 0o777 & ~logFileMode) === 0) return
  try {
    fchmodSync(fd, mode & logFileMode)
  } catch {
    // It belongs to somebody else, who decides.
  }
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
