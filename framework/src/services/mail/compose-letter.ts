import { randomUUID } from 'node:crypto'
import type { Address } from './address.ts'
import type { Letter } from './letter.ts'
import type { Message } from './message.ts'

/** What readers of a mail see; one of the two may be absent. */
export interface MailBody {
  readonly text: string | null
  readonly html: string | null
}

/** What a letter needs beside its message. */
export interface ComposeOptions {
  readonly body: MailBody
  /** The sender when the message names none. */
  readonly from: Address
  /** Epoch seconds. */
  readonly date: number
}

/** Writes a message down as it goes over the wire, with a Message-ID of its own. */
export async function composeLetter(
  message: Message,
  { body, from: usual, date }: ComposeOptions,
): Promise<Letter> {
  const from = message.from ?? usual
  const id = `${randomUUID()}@${from.address.slice(from.address.lastIndexOf('@') + 1)}`
  // Late: most processes never send a mail, and the library is not small.
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
    // A message carries what it was given and never fetches more.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const everybody = [...message.to, ...message.cc, ...message.bcc].map(({ address }) => address)
  return {
    id,
    from: from.address,
    to: [...new Set(everybody)],
    raw: await composer.compile().build(),
  }
}

function mailboxes(addresses: readonly Address[]): { name: string; address: string }[] {
  return addresses.map(({ name, address }) => ({ name, address }))
}
