import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { explainUnwritable } from '../base/files/explain-unwritable.ts'
import { hasCode } from '../base/errors.ts'
import { privateFile, privateFolder } from '../base/files/private-files.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import type { Lane } from './lane.ts'
import type { RawMessage } from './raw-message.ts'

/** Options of `FileLane`. */
export interface FileLaneOptions {
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** A file name reserved for one message, and the open draft that will be renamed to it. */
interface Reserved {
  readonly draft: string
  readonly path: string
  readonly file: FileHandle
}

/** What becomes of a complete draft. */
type Finish = (draft: string, path: string) => Promise<void>

/**
 * Writes messages to a folder as `<epoch>-<sequence>.eml`. Several processes may share the folder:
 * names are unique and files appear complete.
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

  send(message: RawMessage): Promise<void> {
    return this.#write(message, rename)
  }

  /** Writes the draft and removes it again. */
  dryRun(message: RawMessage): Promise<void> {
    return this.#write(message, (draft) => rm(draft))
  }

  async #write(message: RawMessage, finish: Finish): Promise<void> {
    try {
      await this.#draft(message, finish)
    } catch (error) {
      throw explainUnwritable(error, this.folder)
    }
  }

  async #draft(message: RawMessage, finish: Finish): Promise<void> {
    // Mails contain links that give access to accounts: only the owner may read them.
    await mkdir(this.folder, { recursive: true, mode: privateFolder })
    const { draft, path, file } = await this.#reserve()
    try {
      try {
        await file.writeFile(delivered(message))
      } finally {
        await file.close()
      }
      await finish(draft, path)
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
      // Another process may have used this name and already renamed its draft.
      if (!(await exists(path))) return { draft, path, file }
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
    // Padded, so that names of the same second sort in order.
    return `${epoch}-${String(this.#sequence).padStart(4, '0')}`
  }
}

/** Creates the file exclusively; null when it already exists. */
async function openNew(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'wx', privateFile)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return null
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Adds the envelope headers that a mail server adds on delivery. */
function delivered({ from, to, raw }: RawMessage): Buffer {
  const lines = [`Return-Path: <${from}>`, ...to.map((address) => `Delivered-To: ${address}`)]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), raw])
}
