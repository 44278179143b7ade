import { paintIn } from '../../base/terminal/paints.ts'
import type { Paint, Style } from '../../base/terminal/paints.ts'
import { TokenKinds } from '../highlight/token.ts'

/** The styles of a report on a terminal. */
export interface ReportPaints {
  readonly error: Paint
  readonly strong: Paint
  readonly faint: Paint
  readonly place: Paint
  readonly source: Readonly<Record<TokenKinds, Paint>>
}

/** Styles that add ANSI sequences, or ones that leave every text unchanged. */
export function reportPaints(colored: boolean): ReportPaints {
  const paint = (style: Style): Paint => paintIn(style, colored)
  return {
    error: paint(['bold', 'red']),
    strong: paint('bold'),
    faint: paint('dim'),
    place: paint('cyan'),
    source: {
      [TokenKinds.Plain]: (text) => text,
      [TokenKinds.Keyword]: paint('magenta'),
      [TokenKinds.Literal]: paint('yellow'),
      [TokenKinds.Text]: paint('green'),
      [TokenKinds.Comment]: paint('dim'),
      [TokenKinds.Name]: paint('blue'),
      [TokenKinds.Type]: paint('cyan'),
    },
  }
}
