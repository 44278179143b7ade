import { randomUUID } from 'node:crypto'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
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
    return this.#write(message, (draft) => this.#publish(draft))
  }

  /** Writes the draft and removes it again. */
  dryRun(message: RawMessage): Promise<void> {
    return this.#write(message, async () => {})
  }

  async #write(message: RawMessage, use: (draft: string) => Promise<void>): Promise<void> {
    const draft = join(this.folder, `.${randomUUID()}`)
    try {
      // Mails contain links that give access to accounts: only the owner may read them.
      await mkdir(this.folder, { recursive: true, mode: privateFolder })
      try {
        await writeFile(draft, delivered(message), { mode: privateFile })
        await use(draft)
      } finally {
        await rm(draft, { force: true })
      }
    } catch (error) {
      throw explainUnwritable(error, this.folder)
    }
  }

  /** Gives a complete draft the next name that no process has used. */
  async #publish(draft: string): Promise<void> {
    try {
      // Unlike a rename, a link never replaces.
      await link(draft, join(this.folder, `${this.#nextName()}.eml`))
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
      await this.#publish(draft)
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

/** Adds the envelope headers that a mail server adds on delivery. */
function delivered({ from, to, raw }: RawMessage): Buffer {
  const lines = [`Return-Path: <${from}>`, ...to.map((address) => `Delivered-To: ${address}`)]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), raw])
}
