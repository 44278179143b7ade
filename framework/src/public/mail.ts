export { mailScope, type MailScope, type MailValues } from '../app/config/mail-scope.ts'
export {
  GatheredMails,
  type GatheredMail,
  type GatheredMailsOptions,
} from '../app/mail/gathered-mails.ts'
export { createGatheredMailsTable } from '../app/mail/gathered-mails-table.ts'
export { mailerFrom, type MailerFromOptions, type MailContext } from '../app/mail/mailer-from.ts'
export type { Address, AddressInput } from '../services/mail/address.ts'
export type { Attachment, AttachmentInput } from '../services/mail/attachment.ts'
export { FileLane, type FileLaneOptions } from '../services/mail/file-lane.ts'
export type { Lane } from '../services/mail/lane.ts'
export type { Letter, PackedLetter } from '../services/mail/letter.ts'
export { MailError, type MailFailure } from '../services/mail/mail-error.ts'
export { MailSecurity } from '../services/mail/mail-security.ts'
export { MailViews, type MailViewsOptions } from '../services/mail/mail-views.ts'
export {
  Mailer,
  type DeliverOptions,
  type MailerOptions,
  type MailPreviewOptions,
} from '../services/mail/mailer.ts'
export { MemoryLane } from '../services/mail/memory-lane.ts'
export { Message, type MessageOptions, type Recipients } from '../services/mail/message.ts'
export type { MailQueue } from '../services/mail/queue-lane.ts'
export {
  readMail,
  type MimeHeader,
  type ReadAttachment,
  type ReadMail,
} from '../services/mail/read-mail.ts'
export { SmtpLane } from '../services/mail/smtp-lane.ts'
export type { SmtpOptions } from '../services/mail/smtp-options.ts'
export { MailPreview } from '../web/routes/mail-preview.ts'
