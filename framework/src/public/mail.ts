export { mailScope, mailerFrom } from '../mail/mail-settings.ts'
export {
  GatheredMails,
  createGatheredMailsTable,
  type GatheredMail,
} from '../mail/gathered-mails.ts'
export type { Address } from '../mail/address.ts'
export { Message, type Attachment, type MessageOptions } from '../mail/message.ts'
export { FileLane } from '../mail/file-lane.ts'
export type { Lane } from '../mail/lane.ts'
export type { RawMessage } from '../mail/raw-message.ts'
export { MailError, type MailFailure } from '../mail/mail-error.ts'
export { MailSecurity } from '../mail/smtp-options.ts'
export { MailViews } from '../mail/mail-views.ts'
export { Mailer, type DeliverOptions } from '../mail/mailer.ts'
export { MemoryLane } from '../mail/memory-lane.ts'
export type { MailQueue } from '../mail/queue-lane.ts'
export { readMail, type ReadMail } from '../mail/read-mail.ts'
export { SmtpLane } from '../mail/smtp-lane.ts'
export { MailPreview } from '../devtools/mail-preview/mail-preview.ts'
