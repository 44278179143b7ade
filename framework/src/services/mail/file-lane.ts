import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../base/files/has-code.ts'
import { explainUnwritable } from '../../base/files/explain-unwritable.ts'
import type { Lane } from './lane.ts'
import type { Letter } from './letter.ts'

/** How a folder of letters is filled. */
export interface FileLaneOptions {
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** A name nobody else can have, and the open file that will become it. */
interface Reserved {
  readonly draft: string
  readonly path: string
  readonly file: FileHandle
}

/**
 * Writes letters into a folder, as `<epoch>-<sequence>.eml`. Any number of processes may write into
 * the same one: no name is given twice, and a file is there whole or not at all.
 */
export class FileLane implements Lane {
  readonly name = 'file'
  readonly folder: string
  readonly #clock: () => number
  #epoch = 0
  #sequence = 0

  constructor(folder: string, { clock = epochSeconds }: FileLaneOptions = {}) {
    this.folder = folder
    this.#clock = clock
  }

  async send(letter: Letter): Promise<void> {
    try {
      await this.#write(letter)
    } catch (error) {
      throw explainUnwritable(error, this.folder)
    }
  }

  async #write(letter: Letter): Promise<void> {
    // Mails hold links that open accounts: they are for the owner of the process alone.
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const { draft, path, file } = await this.#reserve()
    try {
      try {
        await file.writeFile(delivered(letter))
      } finally {
        await file.close()
      }
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async #reserve(): Promise<Reserved> {
    for (;;) {
      const name = this.#nextName()
      const draft = join(this.folder, `.${name}`)
      const path = join(this.folder, `${name}.eml`)
      const file = await openNew(draft)
      if (file === null) continue
      // Whoever had this draft before us has renamed it by now, and then the letter is there.
      if (!(await isThere(path))) return { draft, path, file }
      await file.close()
      await rm(draft, { force: true })
    }
  }

  #nextName(): string {
    const epoch = Math.floor(this.#clock())
    if (epoch !== this.#epoch) {
      this.#epoch = epoch
      this.#sequence = 0
    }
    this.#sequence += 1
    // Names of one second sort as they were written.
    return `${epoch}-${String(this.#sequence).padStart(4, '0')}`
  }
}

/** The file, which only one process can be the one to make; null when somebody else did. */
async function openNew(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return null
    throw error
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** As a server puts a letter into a mailbox: on top of it whom it came from and whom it went to. */
function delivered({ from, to, raw }: Letter): Buffer {
  const lines = [`Return-Path: <${from}>`, ...to.map((address) => `Delivered-To: ${address}`)]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), raw])
}

function epochSeconds(): number {
  return Date.now() / 1000
}
