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
  /** What the HTML calls it, as `cid:…`; null when it does not. */
  readonly cid: string | null
  readonly content: Buffer
}

/** A mail as its reader sees it. */
export interface ReadMail {
  /** All headers in their order, decoded. */
  readonly headers: readonly MimeHeader[]
  /** Every line ends with `\n`; blank lines at the end are left out. */
  readonly text: string | null
  /** Lines are separated by `\n`, with none after the last. */
  readonly html: string | null
  readonly attachments: readonly ReadAttachment[]
  /** The value of the first header of that name, in any case; null when there is none. */
  header(name: string): string | null
}

const headerName = /^[!-9;-~]+$/

/** Reads an `.eml` file. What cannot be understood is left out; this never rejects. */
export async function readMail(bytes: Uint8Array): Promise<ReadMail> {
  // Loaded late: an application that only sends mails never needs it.
  const { default: PostalMime, decodeWords } = await import('postal-mime')
  // It gives up on parts that are nested too deep and on megabytes of headers.
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

// Whether the last line has a line break would otherwise depend on how the part was encoded.
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
