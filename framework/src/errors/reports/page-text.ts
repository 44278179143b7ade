import { escapeHtml } from '../../base/encoding/escape-html.ts'

// All but line feeds and tabs. Bidirectional marks and zero-width characters are included: they can
// make a text display differently from what it contains.
const invisible =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/

const everyInvisible = new RegExp(invisible, 'g')

/** Replaces invisible characters with visible symbols for them. */
export function visible(text: string): string {
  return invisible.test(text) ? text.replaceAll(everyInvisible, symbolFor) : text
}

/** Escapes text for HTML content and quoted attribute values, and shows invisible characters. */
export function html(text: string): string {
  return escapeHtml(visible(text))
}

/** The first `max` characters, and how many were cut. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max)}… (${text.length - max} more characters)`
}

function symbolFor(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}
