import { maskSource } from '../../base/mask-text.ts'
import { Origins } from '../stack/frames.ts'
import type { Frame } from '../stack/frames.ts'
import { visible } from './page-text.ts'
import { excerptOf } from '../stack/source-file.ts'

/**
 * The source around the first application frame, else the first vendor frame, as plain text with
 * line numbers and a `>` at the failing line; empty when there is none.
 */
export function excerptText(frames: readonly Frame[]): string {
  const own = frames.find(({ origin, line }) => origin === Origins.Application && line > 0)
  const frame = own ?? frames.find(({ origin }) => origin === Origins.Vendor)
  const excerpt = frame === undefined ? null : excerptOf(frame.file, frame.line)
  if (excerpt === null) return ''
  const width = String(excerpt.first + excerpt.lines.length - 1).length
  let text = ''
  for (const [at, line] of excerpt.lines.entries()) {
    const number = excerpt.first + at
    const sign = number === excerpt.marked ? '>' : ' '
    text +=
      `${sign} ${String(number).padStart(width)} | ${visible(maskSource(line))}`.trimEnd() + '\n'
  }
  return text
}
