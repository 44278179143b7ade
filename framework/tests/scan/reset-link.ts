import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMail } from '../../src/mail/read-mail.ts'
import { waitFor } from '../support/wait-for.ts'
import { Guest } from './guest.ts'
import type { ScannedSite } from './scanned-site.ts'

/** The path of a new reset link, read from its mail. */
export async function freshResetLink({ url, folder }: ScannedSite): Promise<string> {
  const owner = new Guest(url, { signsIn: true })
  await owner.token()
  const guest = new Guest(url, { signsIn: false })
  const body = new URLSearchParams({ _token: await guest.token(), email: owner.email })
  await fetch(`${url}/forgot`, { method: 'POST', body, headers: guest.headers() })
  return waitFor('the mail with the link', () =>
    linkTo(owner.email, join(folder, 'storage', 'mails')),
  )
}

async function linkTo(email: string, folder: string): Promise<string | undefined> {
  for (const name of globSync('*.eml', { cwd: folder })) {
    const mail = await readMail(readFileSync(join(folder, name)))
    if (mail.header('to')?.includes(email) !== true) continue
    const [link] = /\/reset\/[0-9a-f]+\/[0-9a-f]+/.exec(mail.text ?? '') ?? []
    if (link !== undefined) return link
  }
  return undefined
}
