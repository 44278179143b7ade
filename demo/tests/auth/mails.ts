import assert from 'node:assert/strict'
import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMail } from 'framework/mail'
import type { ReadMail } from 'framework/mail'

const folder = join(import.meta.dirname, '..', '..', 'storage', 'mails')

/** The first mail of a subject that somebody got, or a later one. Mails leave behind the answer, so it is waited for. */
export async function mailTo(email: string, subject: string, nth = 1): Promise<ReadMail> {
  for (let tries = 0; tries < 500; tries += 1) {
    const mails = (await mailsTo(email)).filter((mail) => mail.header('subject') === subject)
    const mail = mails[nth - 1]
    if (mail !== undefined) return mail
    await sleep(10)
  }
  return assert.fail(`mail ${nth} "${subject}" did not come`)
}

/** Every mail that somebody got so far, the oldest first. */
export async function mailsTo(email: string): Promise<ReadMail[]> {
  return (await allMails()).map(({ mail }) => mail).filter((mail) => isTo(mail, email))
}

/** The path of the link in a mail. */
export function linkIn({ text }: ReadMail): string {
  const { pathname } = new URL(/https?:\/\/\S+/.exec(text ?? '')?.[0] ?? '')
  return pathname
}

/** Takes the mails of these people away. */
export async function removeMails(emails: readonly string[]): Promise<void> {
  for (const { path, mail } of await allMails()) {
    if (emails.some((email) => isTo(mail, email))) await rm(path, { force: true })
  }
}

async function allMails(): Promise<{ path: string; mail: ReadMail }[]> {
  const names = await readdir(folder).catch(() => [])
  const found = names.filter((name) => name.endsWith('.eml')).toSorted()
  const mails = found.map(async (name) => {
    const path = join(folder, name)
    // Another run of the tests may have taken it away by now.
    return { path, mail: await readMail(await readFile(path).catch(() => Buffer.alloc(0))) }
  })
  return Promise.all(mails)
}

function isTo(mail: ReadMail, email: string): boolean {
  return mail.header('delivered-to') === email
}
