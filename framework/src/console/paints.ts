/** Puts a look around a text. */
export type Paint = (text: string) => string

/** The few looks the console uses. */
export interface Paints {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

/** Paints that colour, or ones that leave every text as it is. */
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
