import { printable } from '../../base/encoding/printable.ts'
import type { Paints } from '../../base/terminal/paints.ts'
import { lineTokens } from '../highlight/line-tokens.ts'
import type { Token, TokenKinds } from '../highlight/token.ts'
import type { Frame } from '../stack/frames.ts'
import { excerptOf, sourceLines } from '../stack/source-file.ts'

/** How kinds of source are painted. */
const colours: Readonly<Partial<Record<TokenKinds, keyof Paints>>> = {
  keyword: 'magenta',
  literal: 'yellow',
  text: 'green',
  comment: 'dim',
  name: 'blue',
  type: 'cyan',
}

/** Lines on each side of the failing one; fewer than on the debug page, as terminals are small. */
const MARGIN = 4
const maxLineLength = 160

/** The numbered lines around a frame, the failing one marked; none when there is no source. */
export function ansiExcerpt(
  { file, line }: Pick<Frame, 'file' | 'line'>,
  paints: Paints,
): string[] {
  const excerpt = excerptOf(file, line, MARGIN)
  const whole = sourceLines(file)
  if (excerpt === null || whole === null) return []
  const { first, lines } = excerpt
  const width = String(first + lines.length - 1).length
  return lines.map((_, at) => {
    const number = first + at
    const label = String(number).padStart(width)
    const text = sourceLine(lineTokens(whole, number, file), paints)
    const marked = number === line
    const gutter = marked
      ? paints.bold(paints.red(`> ${label} |`))
      : `  ${paints.dim(`${label} |`)}`
    return `  ${gutter} ${marked ? paints.bold(text) : text}`.trimEnd()
  })
}

function sourceLine(tokens: readonly Token[], paints: Paints): string {
  let left = maxLineLength
  let line = ''
  for (const { kind, text } of tokens) {
    if (left <= 0) return `${line}…`
    const shown = printable(text.slice(0, left))
    const colour = colours[kind]
    line += colour === undefined ? shown : paints[colour](shown)
    left -= text.length
  }
  return left < 0 ? `${line}…` : line
}
