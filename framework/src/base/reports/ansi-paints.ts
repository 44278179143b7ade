import { styleText } from 'node:util'
import { TokenKinds } from '../highlight/highlight-token.ts'

/** Puts a look around a text. */
export type Paint = (text: string) => string

/** The looks of a report on a terminal. */
export interface ReportPaints {
  readonly error: Paint
  readonly strong: Paint
  readonly faint: Paint
  readonly place: Paint
  readonly source: Readonly<Record<TokenKinds, Paint>>
}

type Look = Parameters<typeof styleText>[0]

/** Looks made of ANSI sequences, or ones that leave every text as it is. */
export function reportPaints(colored: boolean): ReportPaints {
  const paint = (look: Look): Paint =>
    colored ? (text) => (text === '' ? '' : styleText(look, text, { validateStream: false })) : same
  return {
    error: paint(['bold', 'red']),
    strong: paint('bold'),
    faint: paint('dim'),
    place: paint('cyan'),
    source: {
      [TokenKinds.Plain]: same,
      [TokenKinds.Keyword]: paint('magenta'),
      [TokenKinds.Literal]: paint('yellow'),
      [TokenKinds.Text]: paint('green'),
      [TokenKinds.Comment]: paint('dim'),
      [TokenKinds.Name]: paint('blue'),
      [TokenKinds.Type]: paint('cyan'),
    },
  }
}

function same(text: string): string {
  return text
}
