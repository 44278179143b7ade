import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, renameSync, statSync, utimesSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../base/errors.ts'
import { createPrivateFile, createPrivateFolder, privateFile } from '../base/files/private-files.ts'

/** The file in which errors wait while the database is away, where the project keeps its files. */
export const waitingFileName = 'errors-waiting.jsonl'

const maxBytes = 1_048_576
/** Beyond the limit, for the last words of a process, which has no time to make room. */
const extraBytes = 65_536
/** Far longer than one synchronous write takes. */
const writeMs = 20
const uuid = /^[\da-f-]{36}$/
/** A process that took lines and has not stored them for so long is dead. */
const abandonedMs = 600_000

/** Lines taken from the file. */
export interface TakenLines {
  readonly lines: readonly string[]
  /** Call it when the lines are stored elsewhere. */
  readonly done: () => Promise<void>
}

/**
 * A file of lines that several processes share, private and of at most 1 MiB: the oldest lines make
 * room. Each line is taken by one process: whoever takes some renames the file, which has one winner.
 */
export class WaitingFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Creates the file: processes without a database add to it only if it is there. */
  create(): void {
    createPrivateFolder(dirname(this.#path))
    createPrivateFile(this.#path)
  }

  /** Appends lines. Resolves with those that had to make room. */
  async append(lines: readonly string[]): Promise<readonly string[]> {
    this.create()
    if (this.#appendWithin(maxBytes, lines)) return []
    const taken = await this.#claim(this.#path)
    const all = [...(taken?.lines ?? []), ...lines]
    const kept = newest(all)
    appendFileSync(this.#path, asText(kept), { mode: privateFile })
    await taken?.done()
    return all.slice(0, all.length - kept.length)
  }

  /** Appends lines from a process that is about to end; false if the file is not there or full. */
  appendSync(lines: readonly string[]): boolean {
    try {
      return existsSync(this.#path) && this.#appendWithin(maxBytes + extraBytes, lines)
    } catch {
      // Reporting never makes a failure worse.
      return false
    }
  }

  /** Takes all lines, or those of a process that died before it had stored them; null if there are none. */
  async take(): Promise<TakenLines | null> {
    const beginning = `${basename(this.#path)}.`
    const names = await readdir(dirname(this.#path)).catch(() => [])
    for (const name of names) {
      if (!name.startsWith(beginning) || !uuid.test(name.slice(beginning.length))) continue
      const path = join(dirname(this.#path), name)
      const takenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
      const found = Date.now() - takenMs < abandonedMs ? null : await this.#claim(path)
      if (found !== null) return found
    }
    return this.#claim(this.#path)
  }

  async #claim(path: string): Promise<TakenLines | null> {
    const own = `${this.#path}.${randomUUID()}`
    try {
      if (statSync(path).size === 0) return null
      renameSync(path, own)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null
      throw error
    }
    // Its age counts from now.
    utimesSync(own, new Date(), new Date())
    this.create()
    // Another process may have opened it just before, and be writing.
    await sleep(writeMs)
    const read = readFileSync(own)
    const whole = read.subarray(0, read.lastIndexOf('\n') + 1)
    return {
      lines: whole.toString().split('\n').slice(0, -1),
      done: async () => {
        // Whoever took it over from this process cares for it now.
        if (!existsSync(own)) return
        const late = readFileSync(own).subarray(whole.length)
        if (late.length > 0) appendFileSync(this.#path, late, { mode: privateFile })
        await rm(own, { force: true })
      },
    }
  }

  /** In one write, so that lines of several processes do not mix. */
  #appendWithin(max: number, lines: readonly string[]): boolean {
    const text = asText(lines)
    const { size = 0 } = statSync(this.#path, { throwIfNoEntry: false }) ?? {}
    if (size + Buffer.byteLength(text) > max) return false
    appendFileSync(this.#path, text, { mode: privateFile })
    return true
  }
}

/** The newest lines that fit with some room to spare, so that not every append rewrites the file. */
function newest(lines: readonly string[]): readonly string[] {
  let bytes = 0
  const older = lines.findLastIndex((line) => {
    bytes += Buffer.byteLength(line) + 1
    return bytes > maxBytes * 0.75
  })
  return lines.slice(older + 1)
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
