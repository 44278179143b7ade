import { decodeBytes, decodeHeader, parseHeaders, parseStructured } from './mime-header.ts'
import type { MimeHeader, StructuredHeader } from './mime-header.ts'

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
  /** Its lines end with `\n`, like those of the HTML. */
  readonly text: string | null
  readonly html: string | null
  readonly attachments: readonly ReadAttachment[]
  /** The value of the first header of that name, in any case; null when there is none. */
  header(name: string): string | null
}

/** What parts have been found so far. */
interface Found {
  text: string | null
  html: string | null
  readonly attachments: ReadAttachment[]
  parts: number
}

// Whatever lies in a folder may be opened: a mail made of nothing but boundaries has to end.
const DEEPEST = 10
const MOST_PARTS = 200

/** Reads an `.eml` file. What is not understood is left out; this never throws. */
export function readMail(bytes: Uint8Array): ReadMail {
  const [block, body] = split(Buffer.from(bytes).toString('latin1'))
  const raw = parseHeaders(block)
  const found: Found = { text: null, html: null, attachments: [], parts: 0 }
  readPart(raw, body, found, 0)
  const headers = raw.map(({ name, value }) => ({ name, value: decodeHeader(value) }))
  const { text, html, attachments } = found
  return { headers, text, html, attachments, header: (name) => valueOf(headers, name) }
}

function readPart(headers: readonly MimeHeader[], body: string, found: Found, depth: number): void {
  found.parts += 1
  if (depth > DEEPEST || found.parts > MOST_PARTS) return
  const type = parseStructured(valueOf(headers, 'content-type') ?? 'text/plain')
  const boundary = type.parameters.get('boundary')
  if (type.value.startsWith('multipart/') && boundary !== undefined) {
    for (const part of partsOf(body, boundary)) {
      const [block, content] = split(part)
      readPart(parseHeaders(block), content, found, depth + 1)
    }
  } else readLeaf(headers, body, type, found)
}

function readLeaf(
  headers: readonly MimeHeader[],
  body: string,
  type: StructuredHeader,
  found: Found,
): void {
  const content = transferDecoded(body, valueOf(headers, 'content-transfer-encoding') ?? '')
  const disposition = parseStructured(valueOf(headers, 'content-disposition') ?? '')
  const name = disposition.parameters.get('filename') ?? type.parameters.get('name')
  const text = (): string => {
    const charset = type.parameters.get('charset') ?? 'utf-8'
    return decodeBytes(content, charset).replaceAll('\r\n', '\n')
  }
  if (name === undefined && type.value === 'text/plain' && found.text === null) found.text = text()
  else if (name === undefined && type.value === 'text/html' && found.html === null) {
    found.html = text()
  } else {
    const cid = valueOf(headers, 'content-id')?.replace(/^<(.*)>$/, '$1') ?? null
    found.attachments.push({ name: name ?? 'unnamed', type: type.value, cid, content })
  }
}

/** Headers and what comes after the first empty line. */
function split(text: string): [headers: string, body: string] {
  if (/^\r?\n/.test(text)) return ['', text.replace(/^\r?\n/, '')]
  const gap = /\r?\n\r?\n/.exec(text)
  if (gap === null) return [text, '']
  return [text.slice(0, gap.index), text.slice(gap.index + gap[0].length)]
}

/** What stands between the lines of a boundary, each without the line break before the next. */
function partsOf(body: string, boundary: string): string[] {
  const parts: string[] = []
  let current: string[] | null = null
  for (const line of body.split('\n')) {
    const bare = line.trimEnd()
    if (bare !== `--${boundary}` && bare !== `--${boundary}--`) {
      current?.push(line)
      continue
    }
    if (current !== null) parts.push(current.join('\n').replace(/\r$/, ''))
    if (bare.length > boundary.length + 2) return parts
    current = []
  }
  return parts
}

function transferDecoded(body: string, encoding: string): Buffer {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64')
    case 'quoted-printable':
      return Buffer.from(unquoted(body), 'latin1')
    default:
      return Buffer.from(body, 'latin1')
  }
}

function unquoted(text: string): string {
  // Space at the end of a line was added on the way.
  const lines = text
    .split('\n')
    .map((line) => `${line.trimEnd()}${line.endsWith('\r') ? '\r' : ''}`)
  return lines
    .join('\n')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_match, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
}

function valueOf(headers: readonly MimeHeader[], name: string): string | null {
  const wanted = name.toLowerCase()
  return headers.find((header) => header.name.toLowerCase() === wanted)?.value ?? null
}
