import { InvalidArgumentException, invalidArgument } from '../base/errors.ts'
import { parseAddress, parseAddresses } from './address.ts'
import type { Address, AddressInput } from './address.ts'
import { assertHeaderText, checkedHeaders } from './header-text.ts'

/** One mailbox, or several. */
export type Recipients = AddressInput | readonly AddressInput[]

/** The parts of a message: text and HTML, or a view that renders them. */
export interface MessageOptions {
  readonly to: Recipients
  readonly cc?: Recipients
  /** Receive the message without being named in it. */
  readonly bcc?: Recipients
  readonly replyTo?: Recipients
  /** Overrides the mailer's sender. */
  readonly from?: AddressInput
  readonly subject: string
  readonly text?: string
  readonly html?: string
  /** `mails/verify` is `views/mails/verify.template.html`; its text is made from that, unless there is a `….text.template.html`. */
  readonly view?: string
  /** The language of its view: of whoever gets it. @default that of the project */
  readonly language?: string | null
  /** The time zone of its view: of whoever gets it. @default that of the project */
  readonly timeZone?: string | null
  /** Available in the view as `it`, in addition to `it.subject`. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly attachments?: readonly AttachmentInput[]
  /** Additional headers, such as `List-Unsubscribe`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A file attached to a message. */
export interface AttachmentInput {
  /** File name, without a folder. */
  readonly name: string
  /** A string is sent as UTF-8. */
  readonly content: string | Uint8Array
  /** Media type. @default by the file extension */
  readonly type?: string
  /** Content id, to show the file in the HTML: `<img src="cid:…">`. */
  readonly cid?: string
}

/** A validated attachment. */
export interface Attachment {
  readonly name: string
  readonly content: Uint8Array
  readonly type: string | null
  readonly cid: string | null
}

const maxNameLength = 255
const token = "[A-Za-z0-9!#$&'*+.^_`|~-]+"
const mediaType = new RegExp(`^${token}/${token}(?:; ?${token}=(?:${token}|"[^"\\\\]*"))*$`)
const contentId = /^[A-Za-z0-9._+-]{1,64}(?:@[A-Za-z0-9.-]{1,64})?$/

/**
 * A validated message: the constructor rejects invalid addresses and everything that would break a
 * header.
 */
export class Message {
  readonly to: readonly Address[]
  readonly cc: readonly Address[]
  readonly bcc: readonly Address[]
  readonly replyTo: readonly Address[]
  readonly from: Address | null
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  readonly view: string | null
  readonly language: string | null
  readonly timeZone: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly attachments: readonly Attachment[]
  readonly headers: Readonly<Record<string, string>>

  /** @throws InvalidArgumentException (E_MAIL_ADDRESS, E_MAIL_HEADER, E_INVALID_ARGUMENT) */
  constructor(options: MessageOptions) {
    assertHeaderText('the subject', options.subject)
    checkBody(options)
    this.to = parseAddresses('to', options.to)
    this.cc = parseAddresses('cc', options.cc ?? [])
    this.bcc = parseAddresses('bcc', options.bcc ?? [])
    this.replyTo = parseAddresses('replyTo', options.replyTo ?? [])
    this.from = options.from === undefined ? null : parseAddress('from', options.from)
    if (this.to.length === 0) throw invalidArgument('a message needs at least one address in `to`')
    this.subject = options.subject
    this.text = options.text ?? null
    this.html = options.html ?? null
    this.view = options.view ?? null
    this.language = options.language ?? null
    this.timeZone = options.timeZone ?? null
    this.data = { ...options.data }
    this.attachments = (options.attachments ?? []).map(checkedAttachment)
    this.headers = checkedHeaders(options.headers ?? {})
    // Frozen, so that validated values stay valid.
    Object.freeze(this)
  }
}

function checkBody({ text, html, view, data }: MessageOptions): void {
  for (const part of [text, html, view]) {
    if (part !== undefined && typeof part !== 'string') {
      throw invalidArgument(
        `\`text\`, \`html\` and \`view\` of a message must be strings, got ${typeof part}`,
      )
    }
  }
  const written = text !== undefined || html !== undefined
  if (written === (view !== undefined)) {
    throw invalidArgument('a message needs `text` or `html` or both, or a `view`, but not a mix')
  }
  if (data !== undefined && view === undefined) {
    throw invalidArgument('a message with `data` needs a `view`')
  }
}

/** @throws InvalidArgumentException for an invalid name, type or content id. */
function checkedAttachment(input: AttachmentInput, at: number): Attachment {
  const { name, content, type = null, cid = null } = input
  const field = `attachment ${at + 1}`
  assertHeaderText(`the name of ${field}`, name)
  if (name === '' || name.length > maxNameLength || /[/\\]/.test(name)) {
    throw invalidAttachment(`the name of ${field} must be a file name without a folder`)
  }
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
    throw invalidAttachment(
      `the content of ${field} must be a string or bytes, got ${typeof content}`,
    )
  }
  if (type !== null) checkType(field, type)
  if (cid !== null && !contentId.test(cid)) {
    throw invalidAttachment(`the cid of ${field} must be a word such as "logo"`)
  }
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Object.freeze({ name, content: bytes, type, cid })
}

function checkType(field: string, type: string): void {
  if (!mediaType.test(type)) {
    throw invalidAttachment(`the type of ${field} must be a media type such as "application/pdf"`)
  }
  // Mail software parses parts of these types as mail; they may not be encoded like files.
  if (/^(?:multipart|message)\//i.test(type)) {
    throw invalidAttachment(
      `the type of ${field} cannot be multipart or message; use "application/octet-stream"`,
    )
  }
}

function invalidAttachment(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_MAIL_HEADER', reason)
}
