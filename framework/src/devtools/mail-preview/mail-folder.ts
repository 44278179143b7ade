import { open, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../base/errors.ts'
import { readMail } from '../../mail/read-mail.ts'
import type { ReadMail } from '../../mail/read-mail.ts'

/** A mail in the folder. */
export interface StoredMail {
  /** Its file name without the extension. */
  readonly id: string
  /** Epoch seconds. */
  readonly written: number
  readonly bytes: Buffer
  readonly mail: ReadMail
}

/** A mail in the list; of long ones only the beginning is read. */
export type ListedMail = Omit<StoredMail, 'bytes'>

/** The newest mails of a folder, and how many there are. */
export interface MailList {
  readonly mails: readonly ListedMail[]
  readonly all: number
}

const fileName = /^((\d{1,12})-(\d{1,9}))\.eml$/
// Enough for the headers, which are all the list shows.
const listedBytes = 65_536

/** The files of the file sink; other files in the folder are ignored. */
export class MailFolder {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Newest first. A missing folder counts as empty. */
  async list(max: number): Promise<MailList> {
    const found = (await this.#names())
      .flatMap((name) => {
        const [, id, epoch, sequence] = fileName.exec(name) ?? []
        return id === undefined ? [] : [{ id, written: Number(epoch), sequence: Number(sequence) }]
      })
      .sort((one, other) => other.written - one.written || other.sequence - one.sequence)
    const mails: ListedMail[] = []
    for (const { id, written } of found.slice(0, max)) {
      const bytes = await this.#readStart(id)
      // It may have been deleted in the meantime.
      if (bytes !== null) mails.push({ id, written, mail: await readMail(bytes) })
    }
    return { mails, all: found.length }
  }

  /** Differs whenever a mail was written or deleted. */
  async change(): Promise<string> {
    return (await this.#names()).join()
  }

  /** The id of the mail with a Message-ID, among the newest ones; null if there is none. */
  async find(message: string, max: number): Promise<string | null> {
    const { mails } = await this.list(max)
    return mails.find(({ mail }) => mail.header('message-id') === `<${message}>`)?.id ?? null
  }

  /** The mail with that id; null if there is none. */
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

  async #readStart(id: string): Promise<Buffer | null> {
    const file = await orNull(open(this.#path(id)))
    if (file === null) return null
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(listedBytes), 0, listedBytes, 0)
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
