export {
  mailScope,
  mailerFrom,
  type MailScope,
  type MailValues,
  type MailerFromOptions,
  type MailContext,
} from '../mail/mail-settings.ts'
export {
  GatheredMails,
  createGatheredMailsTable,
  type GatheredMail,
  type GatheredMailsOptions,
} from '../mail/gathered-mails.ts'
export type { Address, AddressInput } from '../mail/address.ts'
export {
  Message,
  type Attachment,
  type AttachmentInput,
  type MessageOptions,
  type Recipients,
} from '../mail/message.ts'
export { FileLane, type FileLaneOptions } from '../mail/file-lane.ts'
export type { Lane } from '../mail/lane.ts'
export type { RawMessage, PackedMessage } from '../mail/raw-message.ts'
export { MailError, type MailFailure } from '../mail/mail-error.ts'
export { MailSecurity, type SmtpOptions } from '../mail/smtp-options.ts'
export { MailViews, type MailViewsOptions } from '../mail/mail-views.ts'
export {
  Mailer,
  type DeliverOptions,
  type MailerOptions,
  type MailPreviewOptions,
} from '../mail/mailer.ts'
export { MemoryLane } from '../mail/memory-lane.ts'
export type { MailQueue } from '../mail/queue-lane.ts'
export { readMail, type MimeHeader, type ReadAttachment, type ReadMail } from '../mail/read-mail.ts'
export { SmtpLane } from '../mail/smtp-lane.ts'
export { MailPreview } from '../devtools/mail-preview/mail-preview.ts'
