/** Reads a text from its start, as long as it matches expectations. */
export class TextScanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Whether the end of the text is reached. */
  get ended(): boolean {
    return this.#at === this.#text.length
  }

  /** Consumes a part if it comes next, and returns whether it did. */
  take(part: string): boolean {
    if (!this.#text.startsWith(part, this.#at)) return false
    this.#at += part.length
    return true
  }

  /** Consumes and returns everything up to the end of a mark; null if it does not come. */
  through(mark: string): string | null {
    const end = this.#text.indexOf(mark, this.#at)
    if (end === -1) return null
    const part = this.#text.slice(this.#at, end + mark.length)
    this.#at = end + mark.length
    return part
  }

  /** Consumes the finite JSON number that comes next, or returns null. */
  number(): number | null {
    const from = this.#at
    let whole = 0
    let code = this.#text.charCodeAt(this.#at)
    while (isDigit(code)) {
      whole = whole * 10 + (code - zero)
      code = this.#text.charCodeAt((this.#at += 1))
    }
    const digits = this.#at - from
    // The common case is a count: only digits, few enough to be exact in a double.
    if (digits > 0 && digits <= 15 && !isInNumber(code)) {
      return digits > 1 && this.#text.charCodeAt(from) === zero ? null : whole
    }
    while (isInNumber(code)) code = this.#text.charCodeAt((this.#at += 1))
    const written = this.#text.slice(from, this.#at)
    const value = jsonNumber.test(written) ? Number(written) : Number.NaN
    return Number.isFinite(value) ? value : null
  }
}

const zero = 48
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function isDigit(code: number): boolean {
  return code >= zero && code <= 57
}

// A digit, or one of + - . E e.
function isInNumber(code: number): boolean {
  return isDigit(code) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101
}
