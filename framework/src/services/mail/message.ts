import { InvalidArgumentException } from '../../base/errors.ts'
import { parseAddress, parseAddresses } from './address.ts'
import type { Address, AddressInput } from './address.ts'
import { checkedAttachment } from './attachment.ts'
import type { Attachment, AttachmentInput } from './attachment.ts'
import { assertHeaderText, checkedHeaders } from './header-text.ts'

/** One mailbox, or several. */
export type Recipients = AddressInput | readonly AddressInput[]

/** What a message is made of: its text and HTML, or a view that renders them. */
export interface MessageOptions {
  readonly to: Recipients
  readonly cc?: Recipients
  /** Get the message and are not named in it. */
  readonly bcc?: Recipients
  readonly replyTo?: Recipients
  /** In place of the mailer's own sender. */
  readonly from?: AddressInput
  readonly subject: string
  readonly text?: string
  readonly html?: string
  /** `mails/verify` is `views/mails/verify.template.html`, and `….text.template.html` for the text. */
  readonly view?: string
  /** What the view finds as `it`, beside `it.subject`. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly attachments?: readonly AttachmentInput[]
  /** More headers, such as `List-Unsubscribe`. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A message that can be delivered: whatever would break a header or leads to no mailbox was
 * refused when it was made.
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
    if (this.to.length === 0) throw refused('a message needs at least one mailbox in `to`')
    this.subject = options.subject
    this.text = options.text ?? null
    this.html = options.html ?? null
    this.view = options.view ?? null
    this.data = { ...options.data }
    this.attachments = (options.attachments ?? []).map(checkedAttachment)
    this.headers = checkedHeaders(options.headers ?? {})
    // What was checked stays as it was checked.
    Object.freeze(this)
  }
}

function checkBody({ text, html, view, data }: MessageOptions): void {
  for (const part of [text, html, view]) {
    if (part !== undefined && typeof part !== 'string') {
      throw refused(`\`text\`, \`html\` and \`view\` of a message are texts, not ${typeof part}`)
    }
  }
  const written = text !== undefined || html !== undefined
  if (written === (view !== undefined)) {
    throw refused('a message has either `text`, `html` or both, or a `view` that renders them')
  }
  if (data !== undefined && view === undefined) {
    throw refused('`data` of a message is for its `view`, and it has none')
  }
}

function refused(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
}
