/** Adds a terminal style to a text. */
export type Paint = (text: string) => string

/** The terminal styles of the console. */
export interface Paints {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

/** Styles with ANSI codes, or without any effect. */
export function paints(colored: boolean): Paints {
  const paint = (on: number, off: number): Paint =>
    colored ? (text) => `\u001B[${on}m${text}\u001B[${off}m` : (text) => text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}
