import type { ReadMail } from 'framework/mail'
import type { ProjectServer } from 'framework/testing'

export { linkIn } from 'framework/testing'

/** Waits for the nth mail with this subject to an address. */
export function mailTo(
  { mails }: ProjectServer,
  to: string,
  subject: string,
  nth = 1,
): Promise<ReadMail> {
  return mails.sent({ to, subject }, nth)
}

/** Every mail to an address so far, oldest first. */
export function mailsTo({ mails }: ProjectServer, to: string): Promise<readonly ReadMail[]> {
  return mails.all({ to })
}
