export { mailScope, type MailScope, type MailValues } from '../mail/mail-settings.ts'
export {
  GatheredMails,
  type GatheredMail,
  type GatheredMailsOptions,
} from '../mail/gathered-mails.ts'
export { createGatheredMailsTable } from '../mail/gathered-mails-table.ts'
export { mailerFrom, type MailerFromOptions, type MailContext } from '../mail/mailer-from.ts'
export type { Address, AddressInput } from '../mail/address.ts'
export type { Attachment, AttachmentInput } from '../mail/attachment.ts'
export { FileLane, type FileLaneOptions } from '../mail/file-lane.ts'
export type { Lane } from '../mail/lane.ts'
export type { Letter, PackedLetter } from '../mail/letter.ts'
export { MailError, type MailFailure } from '../mail/mail-error.ts'
export { MailSecurity } from '../mail/mail-security.ts'
export { MailViews, type MailViewsOptions } from '../mail/mail-views.ts'
export {
  Mailer,
  type DeliverOptions,
  type MailerOptions,
  type MailPreviewOptions,
} from '../mail/mailer.ts'
export { MemoryLane } from '../mail/memory-lane.ts'
export { Message, type MessageOptions, type Recipients } from '../mail/message.ts'
export type { MailQueue } from '../mail/queue-lane.ts'
export { readMail, type MimeHeader, type ReadAttachment, type ReadMail } from '../mail/read-mail.ts'
export { SmtpLane } from '../mail/smtp-lane.ts'
export type { SmtpOptions } from '../mail/smtp-options.ts'
export { MailPreview } from '../devtools/mail-preview/mail-preview.ts'
