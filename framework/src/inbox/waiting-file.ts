import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, statSync } from 'node:fs'
import {
  appendFile,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../base/errors.ts'
import {
  createPrivateFile,
  createPrivateFolder,
  privateFile,
  privateFolder,
} from '../base/files/private-files.ts'
import { tryLock } from '../logs/lock-file.ts'

/** The file in which errors wait while the database is away, where the project keeps its files. */
export const waitingFileName = 'errors-waiting.jsonl'

const maxBytes = 1_048_576
/** Beyond the limit, for the last words of a process, which cannot wait for the lock. */
const extraBytes = 65_536
const lockTries = 50
const lockPauseMs = 20
const uuid = /^[\da-f-]{36}$/
/** A process that took lines and has not stored them for so long is dead. */
const abandonedMs = 600_000

/** Lines taken from the file. */
export interface TakenLines {
  readonly lines: readonly string[]
  /** How much had been dropped for want of room. */
  readonly dropped: number
  /** Call it when the lines are stored elsewhere. */
  readonly done: () => Promise<void>
}

/**
 * A file of lines that several processes share, private and of at most 1 MiB: the oldest lines make
 * room, and the first line says how much was dropped. Each line is taken by one process.
 */
export class WaitingFile {
  readonly #path: string
  readonly #lock: string
  readonly #countIn: (line: string) => number

  /** `countIn` tells how much a line stands for, which counts when it is dropped. @default 1 */
  constructor(path: string, countIn: (line: string) => number = () => 1) {
    this.#path = path
    this.#lock = `${path}.lock`
    this.#countIn = countIn
  }

  /** Creates the file: processes without a database add to it only if it is there. */
  create(): void {
    createPrivateFolder(dirname(this.#path))
    createPrivateFile(this.#path)
  }

  /** Appends lines. Resolves with false if another process kept the file locked. */
  async append(lines: readonly string[]): Promise<boolean> {
    await mkdir(dirname(this.#path), { recursive: true, mode: privateFolder })
    return this.#locked(async () => {
      const added = asText(lines)
      const size = await sizeOf(this.#path)
      if (size + Buffer.byteLength(added) <= maxBytes) {
        await appendFile(this.#path, added, { mode: privateFile })
        return
      }
      const { kept, dropped } = this.#fit([...(await linesOf(this.#path)), ...lines])
      const whole = `${this.#path}.new`
      await writeFile(whole, asText([droppedLine(dropped), ...kept]), { mode: privateFile })
      await rename(whole, this.#path)
    })
  }

  /** Appends lines from a process that is about to end; false if the file is not there or full. */
  appendSync(lines: readonly string[]): boolean {
    try {
      const text = asText(lines)
      if (!existsSync(this.#path)) return false
      const size = statSync(this.#path).size + Buffer.byteLength(text)
      if (size > maxBytes + extraBytes) return false
      appendFileSync(this.#path, text, { mode: privateFile })
      return true
    } catch {
      // Reporting never makes a failure worse.
      return false
    }
  }

  /** Takes all lines, or those of a process that died before it had stored them; null if there are none. */
  async take(): Promise<TakenLines | null> {
    const own = `${this.#path}.${randomUUID()}`
    const taken = (await this.#takeOver(own)) || (await this.#takeAll(own))
    if (!taken) return null
    const { lines, dropped } = withoutCount(await linesOf(own))
    return { lines, dropped, done: () => rm(own, { force: true }) }
  }

  async #takeAll(own: string): Promise<boolean> {
    if ((await sizeOf(this.#path)) === 0) return false
    let isTaken = false
    await this.#locked(async () => {
      isTaken = await renamed(this.#path, own)
      createPrivateFile(this.#path)
    })
    return isTaken
  }

  // A rename has one winner.
  async #takeOver(own: string): Promise<boolean> {
    const folder = dirname(this.#path)
    const beginning = `${basename(this.#path)}.`
    const names = await readdir(folder).catch(() => [])
    for (const name of names) {
      if (!name.startsWith(beginning) || !uuid.test(name.slice(beginning.length))) continue
      const found = await stat(join(folder, name)).catch(() => null)
      if (found === null || Date.now() - found.mtimeMs < abandonedMs) continue
      if (await renamed(join(folder, name), own)) return true
    }
    return false
  }

  /** The newest lines that fit with some room to spare, so that not every append rewrites the file. */
  #fit(lines: readonly string[]): { readonly kept: string[]; readonly dropped: number } {
    const { lines: all, dropped } = withoutCount(lines)
    let start = all.length
    let bytes = 0
    for (const line of all.toReversed()) {
      bytes += Buffer.byteLength(line) + 1
      if (bytes > maxBytes * 0.75) break
      start -= 1
    }
    const lost = all.slice(0, start).reduce((sum, line) => sum + this.#countIn(line), 0)
    return { kept: all.slice(start), dropped: dropped + lost }
  }

  async #locked(work: () => Promise<void>): Promise<boolean> {
    for (let tried = 0; tried < lockTries; tried += 1) {
      const release = await tryLock(this.#lock)
      if (release === null) {
        await sleep(lockPauseMs)
        continue
      }
      try {
        await work()
        return true
      } finally {
        await release()
      }
    }
    return false
  }
}

async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    // Its age counts from now.
    await utimes(to, new Date(), new Date())
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}

async function linesOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function droppedLine(dropped: number): string {
  return JSON.stringify({ dropped })
}

const countLine = /^\{"dropped":(\d{1,15})\}$/

function withoutCount(lines: readonly string[]): {
  readonly lines: readonly string[]
  readonly dropped: number
} {
  let dropped = 0
  const others = lines.filter((line) => {
    const [, count] = countLine.exec(line) ?? []
    if (count !== undefined) dropped += Number(count)
    return count === undefined
  })
  return { lines: others, dropped }
}
