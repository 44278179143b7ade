/** A header with its value unfolded and decoded. */
export interface MimeHeader {
  readonly name: string
  readonly value: string
}

/** A header such as `Content-Type`: a word, and parameters by their names in lower case. */
export interface StructuredHeader {
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

const fold = /\r?\n(?=[ \t])/g
const line = /^([!-9;-~]+):[ \t]*([\s\S]*)$/
const encodedWords =
  /=\?([\w-]+)(?:\*\w+)?\?([BbQq])\?([^?]*)\?=(?:\s+(?==\?[\w-]+(?:\*\w+)?\?[BbQq]\?))?/g
const parameter = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g
const extended = /^(.*?)(?:\*(\d+))?(\*)?$/

/** The headers of a block, as raw values. Lines that are no header are left out. */
export function parseHeaders(block: string): MimeHeader[] {
  return block
    .replaceAll(fold, '')
    .split(/\r?\n/)
    .flatMap((text) => {
      const [, name, value] = line.exec(text) ?? []
      return name === undefined || value === undefined ? [] : [{ name, value: value.trim() }]
    })
}

/** The value as people read it: encoded words and UTF-8 turned into text. */
export function decodeHeader(value: string): string {
  // A character may begin in one word and end in the next: their bytes are joined first.
  const bytes = value.replaceAll(
    encodedWords,
    (_match, charset: string, kind: string, text: string) => {
      const content = kind.toUpperCase() === 'B' ? base64(text) : quoted(text.replaceAll('_', ' '))
      return isUtf8(charset)
        ? content
        : toBytes(decodeBytes(Buffer.from(content, 'latin1'), charset))
    },
  )
  return decodeBytes(Buffer.from(bytes, 'latin1'), 'utf-8')
}

/** Takes a raw value apart, parameters in pieces and in other characters included. */
export function parseStructured(value: string): StructuredHeader {
  const mark = value.indexOf(';')
  const word = (mark === -1 ? value : value.slice(0, mark)).trim().toLowerCase()
  const pieces = new Map<string, string>()
  for (const [, key = '', inQuotes, bare = ''] of value.matchAll(parameter)) {
    const text = inQuotes === undefined ? bare : inQuotes.replaceAll(/\\(.)/g, '$1')
    const [, name = '', , encoded] = extended.exec(key.toLowerCase()) ?? []
    const plain = encoded === undefined ? decodeHeader(text) : percentDecoded(text)
    pieces.set(name, (pieces.get(name) ?? '') + plain)
  }
  return { value: word, parameters: pieces }
}

/** The text of bytes in a character set; one that is unknown is taken for UTF-8. */
export function decodeBytes(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function percentDecoded(text: string): string {
  const content = text.replace(/^[\w-]*'[\w-]*'/, '')
  return decodeBytes(Buffer.from(unescaped(content, '%'), 'latin1'), 'utf-8')
}

function quoted(text: string): string {
  return unescaped(text, '=')
}

function unescaped(text: string, sign: '%' | '='): string {
  return text.replaceAll(new RegExp(`${sign}([0-9A-Fa-f]{2})`, 'g'), (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function base64(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1')
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function isUtf8(charset: string): boolean {
  return /^utf-?8$/i.test(charset)
}
