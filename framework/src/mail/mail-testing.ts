import { AssertionError } from 'node:assert'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMail } from './read-mail.ts'
import type { ReadMail } from './read-mail.ts'

/** Which mails are meant. */
export interface MailFilter {
  /** An address it was delivered to. */
  readonly to?: string
  readonly subject?: string | RegExp
}

const timeoutMs = 5_000

/** The mails that a project under test has sent, from the folder that its mailer writes to. */
export class TestMails {
  readonly #folder: string
  /** A mail never changes, so each file is read once. */
  readonly #read = new Map<string, Promise<ReadMail>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The mails so far, oldest first. */
  async all(filter: MailFilter = {}): Promise<ReadMail[]> {
    const found = await readdir(this.#folder).catch((): string[] => [])
    for (const name of found.filter((one) => one.endsWith('.eml') && !this.#read.has(one))) {
      this.#read.set(name, readFile(join(this.#folder, name)).then(readMail))
    }
    const names = [...this.#read.keys()].toSorted()
    const mails = await Promise.all(names.flatMap((name) => this.#read.get(name) ?? []))
    return mails.filter((mail) => matches(mail, filter))
  }

  /**
   * The nth mail of this kind, from 1. Mails are sent after the response, so it waits for one.
   * @throws AssertionError that lists what was sent, if it does not come within five seconds.
   */
  async sent(filter: MailFilter = {}, nth: number = 1): Promise<ReadMail> {
    const endsMs = performance.now() + timeoutMs
    for (;;) {
      const mail = (await this.all(filter))[nth - 1]
      if (mail !== undefined) return mail
      if (performance.now() > endsMs) throw missing(await this.all(), filter, nth)
      await sleep(5)
    }
  }
}

/** The path of the first link in a mail, with its query; empty if there is none. */
export function linkIn({ text, html }: Pick<ReadMail, 'text' | 'html'>): string {
  const link = /https?:\/\/[^\s"'<>]+/.exec(text ?? html ?? '')?.[0]
  if (link === undefined) return ''
  const { pathname, search } = new URL(link)
  return pathname + search
}

function matches(mail: ReadMail, { to, subject }: MailFilter): boolean {
  const isTo = ({ name, value }: { readonly name: string; readonly value: string }): boolean =>
    name.toLowerCase() === 'delivered-to' && value === to
  if (to !== undefined && !mail.headers.some(isTo)) return false
  const said = mail.header('subject') ?? ''
  return subject instanceof RegExp ? subject.test(said) : subject === undefined || subject === said
}

function missing(mails: readonly ReadMail[], filter: MailFilter, nth: number): AssertionError {
  const list = mails.map((mail) => `${mail.header('delivered-to')}: ${mail.header('subject')}`)
  const wanted = [filter.to, filter.subject].filter((part) => part !== undefined).join(': ')
  const found = list.length === 0 ? 'none was sent' : `these were sent:\n${list.join('\n')}`
  return new AssertionError({ message: `mail ${nth} "${wanted}" did not come; ${found}` })
}
