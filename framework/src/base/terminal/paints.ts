import { styleText } from 'node:util'

/** Adds a terminal style to a text. */
export type Paint = (text: string) => string

/** The terminal styles of the console. */
export type Paints = Readonly<
  Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'blue' | 'magenta', Paint>
>

/** One or several styles of `styleText`. */
export type Style = Parameters<typeof styleText>[0]

/** Styles a text with ANSI codes, or leaves it unchanged where there are no colours. */
export function paintIn(style: Style, colored: boolean): Paint {
  return (text) =>
    colored && text !== '' ? styleText(style, text, { validateStream: false }) : text
}

/** Styles with ANSI codes, or without any effect. */
export function paints(colored: boolean): Paints {
  return {
    bold: paintIn('bold', colored),
    dim: paintIn('dim', colored),
    red: paintIn('red', colored),
    green: paintIn('green', colored),
    yellow: paintIn('yellow', colored),
    cyan: paintIn('cyan', colored),
    blue: paintIn('blue', colored),
    magenta: paintIn('magenta', colored),
  }
}
