/** Numbers from 0 to below 1. */
export type Random = () => number

/** The same numbers for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function oneOf<Value>(values: readonly Value[], random: Random): Value | undefined {
  return values[Math.floor(random() * values.length)]
}

/** What parsers of text trip over, whatever they read. */
const anywhere = [
  ...Array.from(';,=&:/-+#?{}[]<>%"\'\\ \t\n\0\x7f\x80\xff\xc3'),
  ...'// .. -- %00 %ff %C3%BC %zz __proto__ constructor 0 -1 1e999 9007199254740993 NaN null'.split(
    ' ',
  ),
  ...'\u00e4 \u20ac \u{1f44b} \ufeff \u202e'
    .split(' ')
    .map((text) => Buffer.from(text).toString('latin1')),
  '\r\n',
  '\r\n\r\n',
  '\xed\xa0\x80',
  '\xf4\x90\x80\x80',
]

/** An input is at most this long. */
const maxLength = 8_192

/** A few random changes of an input, whose characters are its bytes. */
export function mutate(
  input: string,
  others: readonly string[],
  words: readonly string[],
  random: Random,
): string {
  let text = input
  const changes = 1 + Math.floor(random() ** 3 * 12)
  for (let change = 0; change < changes; change += 1) {
    const from = Math.floor(random() * (text.length + 1))
    const to = Math.min(text.length, from + 1 + Math.floor(random() ** 4 * text.length))
    const piece = text.slice(from, to)
    const replace = (by: string, end: number = from): string =>
      text.slice(0, from) + by + text.slice(end)
    const byte = String.fromCharCode(Math.floor(random() * 256))
    const word = oneOf(random() < 0.5 && words.length > 0 ? words : anywhere, random) ?? ''
    const other = oneOf(others, random) ?? ''
    const at = Math.floor(random() * other.length)
    const kinds = [
      () => replace(word),
      () => replace(word, to),
      () => replace(byte, from + 1),
      () => replace('', to),
      () => replace(piece + piece, to),
      () => replace(piece.repeat(2 + Math.floor(random() * 60)), to),
      () => replace(other.slice(at, at + 1 + Math.floor(random() * 40))),
      () => replace(random() < 0.5 ? piece.toUpperCase() : piece.toLowerCase(), to),
      () => text.slice(0, from) + other.slice(at),
    ]
    text = (oneOf(kinds, random) ?? kinds[0])?.() ?? ''
    if (text.length > maxLength) text = text.slice(0, maxLength)
  }
  return text
}
