import { randomUUID } from 'node:crypto'
import { invalidArgument } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import type { Address } from './address.ts'
import type { Message } from './message.ts'

/** An encoded message and its envelope. */
export interface RawMessage {
  /** Its Message-ID, without the angle brackets. */
  readonly id: string
  /** Envelope sender, to which bounces are returned. */
  readonly from: string
  /** Envelope recipients, including `bcc`. */
  readonly to: readonly string[]
  readonly raw: Uint8Array
}

/** The body of a mail as text, HTML or both. */
export interface MailBody {
  readonly text: string | null
  readonly html: string | null
}

/** Options of `encodeMessage`. */
interface EncodeOptions {
  readonly body: MailBody
  /** The sender of messages without one. */
  readonly from: Address
  /** Epoch seconds. */
  readonly date: number
}

/** Encodes a message for delivery, with a new Message-ID. */
export async function encodeMessage(
  message: Message,
  { body, from: defaultFrom, date }: EncodeOptions,
): Promise<RawMessage> {
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

/** A message as JSON; `raw` is a Latin-1 string. */
export interface PackedMessage {
  readonly id: string
  readonly from: string
  /** None for a dry run. */
  readonly to: readonly string[]
  /** Those of a dry run, who get nothing: they only keep its size. */
  readonly unsent: readonly string[]
  readonly raw: string
}

/** Converts a message to JSON for a queue. */
export function packMessage({ id, from, to, raw }: RawMessage): PackedMessage {
  return { id, from, to: [...to], unsent: [], raw: Buffer.from(raw).toString('latin1') }
}

/** @throws InvalidArgumentException when it is not a packed message; the value is not shown. */
export function unpackMessage(packed: unknown): RawMessage {
  if (!isPacked(packed)) {
    throw invalidArgument(
      'a job of the mail queue does not contain a message; only the mailer may push jobs to it',
    )
  }
  const { id, from, to, raw } = packed
  return { id, from, to, raw: Buffer.from(raw, 'latin1') }
}

function isPacked(value: unknown): value is PackedMessage {
  if (!isRecord(value)) return false
  const { id, from, to, raw } = value
  const texts = [id, from, raw].every((part) => typeof part === 'string')
  return texts && Array.isArray(to) && to.every((one) => typeof one === 'string')
}
