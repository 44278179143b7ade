import type { Attachment } from 'postal-mime'

/** A header with its value unfolded and decoded. */
export interface MimeHeader {
  readonly name: string
  readonly value: string
}

/** A file in a mail. */
export interface ReadAttachment {
  readonly name: string
  readonly type: string
  /** Content id, which the HTML refers to as `cid:…`; null when there is none. */
  readonly cid: string | null
  readonly content: Buffer
}

/** A parsed mail. */
export interface ReadMail {
  /** All headers in order, decoded. */
  readonly headers: readonly MimeHeader[]
  /** Every line ends with `\n`; trailing blank lines are removed. */
  readonly text: string | null
  /** Lines are separated by `\n`, with none after the last. */
  readonly html: string | null
  readonly attachments: readonly ReadAttachment[]
  /** The first header with that name, case-insensitive; null when there is none. */
  header(name: string): string | null
}

const headerName = /^[!-9;-~]+$/

/** Parses an `.eml` file. Invalid parts are left out; this never rejects. */
export async function readMail(bytes: Uint8Array): Promise<ReadMail> {
  // Loaded on first use: an application that only sends mails never needs it.
  const { default: PostalMime, decodeWords } = await import('postal-mime')
  // It rejects parts that are nested too deeply and megabytes of headers.
  const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true }).catch(() => null)
  const headers = (mail?.headers ?? [])
    .filter(({ originalKey }) => headerName.test(originalKey))
    .map(({ originalKey, value }) => ({ name: originalKey, value: decodeWords(value) }))
  return {
    headers,
    text: tidy(mail?.text, '\n'),
    html: tidy(mail?.html, ''),
    attachments: (mail?.attachments ?? []).map(attachmentOf),
    header: (name) => valueOf(headers, name),
  }
}

// Without this, the encoding of a part would decide whether its last line ends with a line break.
function tidy(text: string | undefined, end: '' | '\n'): string | null {
  return text === undefined ? null : text.replaceAll('\r\n', '\n').trimEnd() + end
}

function attachmentOf({ filename, mimeType, contentId, content }: Attachment): ReadAttachment {
  return {
    name: filename ?? 'unnamed',
    type: mimeType,
    cid: contentId?.replace(/^<(.*)>$/, '$1') ?? null,
    content:
      typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  }
}

function valueOf(headers: readonly MimeHeader[], name: string): string | null {
  const wanted = name.toLowerCase()
  return headers.find((header) => header.name.toLowerCase() === wanted)?.value ?? null
}
