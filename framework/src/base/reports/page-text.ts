import { escapeHtml } from '../encoding/escape-html.ts'

// Line ends and tabs stay. The marks that turn the direction of writing, and those without width,
// can make a text read differently from what it is.
const unseen =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/

const everyUnseen = new RegExp(unseen, 'g')

/** The text with characters that nobody could see replaced by signs for them. */
export function visible(text: string): string {
  return unseen.test(text) ? text.replaceAll(everyUnseen, signOf) : text
}

/** The text as HTML content or quoted attribute value, unseen characters made visible. */
export function html(text: string): string {
  return escapeHtml(visible(text))
}

/** The first `most` characters; what was cut is counted. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most)}… (${text.length - most} more characters)`
}

function signOf(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}
