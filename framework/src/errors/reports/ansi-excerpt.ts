import { printable } from '../../base/encoding/printable.ts'
import type { ReportPaints } from './ansi-paints.ts'
import { lineTokens } from '../highlight/line-tokens.ts'
import type { Token } from '../highlight/token.ts'
import type { Frame } from '../stack/frames.ts'
import { excerptOf, sourceLines } from '../stack/source-file.ts'

/** Lines on each side of the failing one; fewer than on the debug page, as terminals are small. */
const MARGIN = 4
const maxLineLength = 160

/** The numbered lines around a frame, the failing one marked; none when there is no source. */
export function ansiExcerpt(
  { file, line }: Pick<Frame, 'file' | 'line'>,
  paints: ReportPaints,
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
    const gutter = marked ? paints.error(`> ${label} |`) : `  ${paints.faint(`${label} |`)}`
    return `  ${gutter} ${marked ? paints.strong(text) : text}`.trimEnd()
  })
}

function sourceLine(tokens: readonly Token[], { source }: ReportPaints): string {
  let left = maxLineLength
  let line = ''
  for (const { kind, text } of tokens) {
    if (left <= 0) return `${line}…`
    line += source[kind](printable(text.slice(0, left)))
    left -= text.length
  }
  return left < 0 ? `${line}…` : line
}
