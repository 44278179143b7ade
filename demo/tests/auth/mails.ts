import assert from 'node:assert/strict'
import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMail } from 'framework/mail'
import type { ReadMail } from 'framework/mail'

const folder = join(import.meta.dirname, '..', '..', 'storage', 'mails')
/** The mails read so far. A mail never changes, but the name of a removed one may be used again. */
const known = new Map<string, ReadMail>()

/** Waits for the nth mail with this subject to an address. Mails are sent after the response. */
export async function mailTo(email: string, subject: string, nth = 1): Promise<ReadMail> {
  for (let tries = 0; tries < 500; tries += 1) {
    const mails = (await mailsTo(email)).filter((mail) => mail.header('subject') === subject)
    const mail = mails[nth - 1]
    if (mail !== undefined) return mail
    await sleep(10)
  }
  return assert.fail(`mail ${nth} "${subject}" did not arrive`)
}

/** Every mail to an address so far, oldest first. */
export async function mailsTo(email: string): Promise<ReadMail[]> {
  return (await allMails()).map(({ mail }) => mail).filter((mail) => isTo(mail, email))
}

/** The path of the link in a mail. */
export function linkIn({ text }: ReadMail): string {
  const { pathname } = new URL(/https?:\/\/\S+/.exec(text ?? '')?.[0] ?? '')
  return pathname
}

/** Removes the mails to these addresses. */
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
    // Another test run may have removed it in the meantime.
    const mail = await read(path).catch(() => null)
    return mail === null ? [] : [{ path, mail }]
  })
  return (await Promise.all(mails)).flat()
}

async function read(path: string): Promise<ReadMail> {
  const { ino, mtimeMs } = await stat(path)
  const file = `${path} ${ino} ${mtimeMs}`
  const mail = known.get(file) ?? (await readMail(await readFile(path)))
  known.set(file, mail)
  return mail
}

function isTo(mail: ReadMail, email: string): boolean {
  return mail.header('delivered-to') === email
}
