import { styleText } from 'node:util'

/** One or several styles of `styleText`. */
export type TerminalStyle = Parameters<typeof styleText>[0]

/** Styles a text, or leaves it unchanged where there are no colours. */
export type TerminalPaint = (style: TerminalStyle, text: string) => string

/** Paints that add ANSI sequences if `colour`. */
export function terminalPaint(colour: boolean): TerminalPaint {
  return (style, text) =>
    colour && text !== '' ? styleText(style, text, { validateStream: false }) : text
}

/**
 * A text on one line, with control characters as escapes. A message may contain what a visitor sent: raw
 * control characters could move the cursor, change the window title or forge lines; bidirectional
 * marks could make a line read differently.
 */
export function visible(text: unknown): string {
  return String(text).replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    if (character === '\n') return String.raw`\n`
    if (character === '\t') return String.raw`\t`
    return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
