import { maskText } from '../../base/mask-text.ts'

const maxLength = 1_000

// Bound values are not part of a statement, but a project may have written one into its text. Names
// in double quotes stay; `$1` is a placeholder.
const values =
  /'(?:[^'\\]|\\[\s\S]|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|(?<![\w$."`])\d+(?:\.\d+)?(?![\w"`])|\b0x[\da-f]+\b/gi

/** A statement for a log: without values, on one line, at most 1,000 characters. */
export function shownStatement(text: string): string {
  // Cut first: a list of keys can have a megabyte of placeholders.
  const cut = text.length > 2 * maxLength ? text.slice(0, 2 * maxLength) : text
  const shown = maskText(withoutValues(cut).replaceAll(/\s+/g, ' ').trim())
  return shown.length > maxLength || cut !== text ? `${shown.slice(0, maxLength)}…` : shown
}

function withoutValues(text: string): string {
  const shown = text.replaceAll(values, '?')
  // A text that was cut in two has no closing quote.
  const open = shown.indexOf("'")
  return open === -1 ? shown : `${shown.slice(0, open)}?`
}
