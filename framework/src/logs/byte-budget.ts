/**
 * The bytes that are left for the parts of a JSON line. Parts are taken in order of their use; what no
 * longer fits is left out. With an infinite budget nothing is measured, which is much faster.
 */
export class ByteBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Takes a text, cut to at most `max` bytes of JSON. */
  text(text: string, max: number): string {
    const shown = fitting(text, max)
    if (this.#left < Infinity) this.#left -= bytesOf(shown)
    return shown
  }

  /** Takes fields, each cut or left out, of at most `max` bytes together. */
  fields(
    fields: Readonly<Record<string, unknown>>,
    max: number,
  ): Readonly<Record<string, unknown>> {
    if (this.#left === Infinity && surelyFit(fields, max)) return fields
    const budget = new ByteBudget(max)
    const shown = Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
      const short = typeof value === 'string' ? fitting(value, max / 2) : value
      return budget.takes([key, short]) ? [[key, short]] : []
    })
    this.#left -= max - budget.#left
    return Object.fromEntries(shown)
  }

  /** Takes a value if it fits; whether it did. */
  takes(value: unknown): boolean {
    if (this.#left === Infinity) return true
    // A comma or a bracket goes with each value.
    const bytes = bytesOf(value) + 1
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  /** Takes values from the front, as many as fit. */
  items<T>(values: readonly T[]): T[] {
    const end = values.findIndex((value) => !this.takes(value))
    return end === -1 ? [...values] : values.slice(0, end)
  }
}

/** A text whose JSON has at most `max` bytes; one that was cut ends with `…`. */
export function fitting(text: string, max: number): string {
  // A UTF-16 unit needs one byte, rarely more and at most six.
  if (6 * text.length + 2 <= max) return text
  if (text.length <= max && bytesOf(text) <= max) return text
  for (const bytes of [1, 2, 6]) {
    // Quotes and dots need five bytes.
    const shown = cut(text, Math.floor((max - 5) / bytes))
    if (bytesOf(shown) <= max) return shown
  }
  return ''
}

/** Whether fields are so short that they need no more bytes than this, whatever is in them. */
function surelyFit(fields: Readonly<Record<string, unknown>>, max: number): boolean {
  let units = 0
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value !== 'string') return false
    units += key.length + value.length + 1
  }
  return 6 * units <= max
}

function cut(text: string, length: number): string {
  // Half of a surrogate pair would need six bytes.
  return `${text.slice(0, length).toWellFormed()}…`
}

/** The size of a value as JSON. */
function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
