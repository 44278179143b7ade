import { open, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../base/files/has-code.ts'
import { readMail } from '../../../services/mail/read-mail.ts'
import type { ReadMail } from '../../../services/mail/read-mail.ts'

/** A mail in a folder. */
export interface StoredMail {
  /** Its file's name without the ending. */
  readonly id: string
  /** Epoch seconds. */
  readonly written: number
  readonly bytes: Buffer
  readonly mail: ReadMail
}

/** A mail as a list shows it; of long ones only the beginning was read. */
export type ListedMail = Omit<StoredMail, 'bytes'>

/** The newest mails of a folder, and how many there are. */
export interface MailList {
  readonly mails: readonly ListedMail[]
  readonly all: number
}

const fileName = /^((\d{1,12})-(\d{1,9}))\.eml$/
// Headers come first, and more of a mail a list does not show.
const LISTED_BYTES = 65_536

/** The files that the file lane writes; whatever else lies among them does not exist. */
export class MailFolder {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Newest first. A folder that is not there is empty. */
  async list(most: number): Promise<MailList> {
    const found = (await this.#names())
      .flatMap((name) => {
        const [, id, epoch, sequence] = fileName.exec(name) ?? []
        return id === undefined ? [] : [{ id, written: Number(epoch), sequence: Number(sequence) }]
      })
      .sort((one, other) => other.written - one.written || other.sequence - one.sequence)
    const mails: ListedMail[] = []
    for (const { id, written } of found.slice(0, most)) {
      const bytes = await this.#begin(id)
      // It may be gone by now.
      if (bytes !== null) mails.push({ id, written, mail: await readMail(bytes) })
    }
    return { mails, all: found.length }
  }

  /** The mail of that name; null when there is none. */
  async read(id: string): Promise<StoredMail | null> {
    const epoch = fileName.exec(`${id}.eml`)?.[2]
    if (epoch === undefined) return null
    const bytes = await orNull(readFile(this.#path(id)))
    return bytes === null
      ? null
      : { id, written: Number(epoch), bytes, mail: await readMail(bytes) }
  }

  async #names(): Promise<string[]> {
    return (await orNull(readdir(this.#folder))) ?? []
  }

  async #begin(id: string): Promise<Buffer | null> {
    const file = await orNull(open(this.#path(id)))
    if (file === null) return null
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(LISTED_BYTES), 0, LISTED_BYTES, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.eml`)
  }
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
