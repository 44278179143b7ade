import { randomUUID } from 'node:crypto'
import type { Address } from './address.ts'
import type { Letter } from './letter.ts'
import type { Message } from './message.ts'

/** The body of a mail as text, HTML or both. */
export interface MailBody {
  readonly text: string | null
  readonly html: string | null
}

/** Options of `composeLetter`. */
export interface ComposeOptions {
  readonly body: MailBody
  /** The sender of messages without one. */
  readonly from: Address
  /** Epoch seconds. */
  readonly date: number
}

/** Encodes a message for delivery, with a new Message-ID. */
export async function composeLetter(
  message: Message,
  { body, from: defaultFrom, date }: ComposeOptions,
): Promise<Letter> {
  const from = message.from ?? defaultFrom
  const id = `${randomUUID()}@${from.address.slice(from.address.lastIndexOf('@') + 1)}`
  // Loaded on first use: most processes never send a mail, and the library is not small.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: { ...from },
    to: mailboxes(message.to),
    cc: mailboxes(message.cc),
    replyTo: mailboxes(message.replyTo),
    subject: message.subject,
    messageId: `<${id}>`,
    date: new Date(date * 1000),
    headers: Object.entries(message.headers).map(([key, value]) => ({ key, value })),
    text: body.text ?? undefined,
    html: body.html ?? undefined,
    attachments: message.attachments.map(({ name, content, type, cid }) => ({
      filename: name,
      content: Buffer.from(content),
      contentType: type ?? undefined,
      cid: cid ?? undefined,
    })),
    newline: 'win',
    // The composer must not read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const recipients = [...message.to, ...message.cc, ...message.bcc].map(({ address }) => address)
  return {
    id,
    from: from.address,
    to: [...new Set(recipients)],
    raw: await composer.compile().build(),
  }
}

function mailboxes(addresses: readonly Address[]): { name: string; address: string }[] {
  return addresses.map(({ name, address }) => ({ name, address }))
}
