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
import { stat, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, resolve, basename, join } from 'node:path'
import { promisify } from 'node:util'
import { explainUnwritable } from '../base/files/explain-unwritable.ts'
import { privateFolder } from '../base/files/private-files.ts'
import { hasCode } from '../base/errors.ts'

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

// A process that checked the file just before its rotation may still write to it just after. Files
// are deleted only after this grace period.
const GRACE_MS = 10_000

/** What to rotate, and how many rotated files to keep. */
export interface Rotation {
  readonly path: string
  /** The full file; when `path` has another inode, the file was already rotated. */
  readonly inode: bigint
  /** Day the file belongs to, `YYYY-MM-DD`, for its new name. */
  readonly day: string
  /** How many rotated files are kept. */
  readonly keep: number
  readonly nowMs: number
}

/**
 * Renames the file to `<path>.<day>.<n>` and deletes the oldest files beyond `keep`. Returns false
 * when another process is rotating: the caller keeps writing and finds the new file later.
 */
export async function rotate(rotation: Rotation): Promise<boolean> {
  const { path, inode, day } = rotation
  // Loaded here: most processes never rotate a file.
  const { lockFile } = await import('../base/files/file-lock.ts')
  const release = lockFile(`${path}.lock`)
  if (release === null) return false
  try {
    const found = await stat(path, { bigint: true }).catch(() => null)
    if (found?.ino === inode) await moveTo(await reserveName(path, day), path)
    await prune(rotation)
    return true
  } finally {
    release()
  }
}

/** The rotated files of a log, oldest first. */
async function rotated(path: string): Promise<{ name: string; day: string; number: number }[]> {
  const start = `${basename(path)}.`
  const names = await readdir(dirname(path))
  return names
    .flatMap((name) => {
      const parts = name.startsWith(start)
        ? /^(\d{4}-\d\d-\d\d)\.(\d+)$/.exec(name.slice(start.length))
        : null
      const [, day, number] = parts ?? []
      return day === undefined ? [] : [{ name, day, number: Number(number) }]
    })
    .sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1))
}

/** Reserves the next free name of the day by creating the file, so that no rename overwrites lines. */
export async function reserveName(path: string, day: string): Promise<string> {
  const last = (await rotated(path)).findLast((file) => file.day === day)
  for (let number = (last?.number ?? 0) + 1; ; number++) {
    const target = `${path}.${day}.${number}`
    try {
      await (await open(target, 'wx')).close()
      return target
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

async function moveTo(reserved: string, path: string): Promise<void> {
  try {
    await rename(path, reserved)
  } catch (error) {
    await rm(reserved, { force: true })
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

async function prune({ path, keep, nowMs }: Rotation): Promise<void> {
  const files = await rotated(path)
  for (const { name } of files.slice(0, Math.max(0, files.length - keep))) {
    const file = join(dirname(path), name)
    const found = await stat(file).catch(() => null)
    if (found !== null && nowMs - found.ctimeMs > GRACE_MS) await rm(file, { force: true })
  }
}
