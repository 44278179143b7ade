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
