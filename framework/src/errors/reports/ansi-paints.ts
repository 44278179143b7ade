import { styleText } from 'node:util'
import { TokenKinds } from '../highlight/token.ts'

/** Styles a text. */
export type Paint = (text: string) => string

/** The styles of a report on a terminal. */
export interface ReportPaints {
  readonly error: Paint
  readonly strong: Paint
  readonly faint: Paint
  readonly place: Paint
  readonly source: Readonly<Record<TokenKinds, Paint>>
}

type Style = Parameters<typeof styleText>[0]

/** Styles that add ANSI sequences, or ones that leave every text unchanged. */
export function reportPaints(colored: boolean): ReportPaints {
  const paint = (style: Style): Paint =>
    colored ? (text) => text && styleText(style, text, { validateStream: false }) : unchanged
  return {
    error: paint(['bold', 'red']),
    strong: paint('bold'),
    faint: paint('dim'),
    place: paint('cyan'),
    source: {
      [TokenKinds.Plain]: unchanged,
      [TokenKinds.Keyword]: paint('magenta'),
      [TokenKinds.Literal]: paint('yellow'),
      [TokenKinds.Text]: paint('green'),
      [TokenKinds.Comment]: paint('dim'),
      [TokenKinds.Name]: paint('blue'),
      [TokenKinds.Type]: paint('cyan'),
    },
  }
}

function unchanged(text: string): string {
  return text
}
