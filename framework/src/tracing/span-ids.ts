import { pooledRandomWord } from '../base/crypto/random-pool.ts'

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The id of a span: 64 bits, and their text once somebody asks for it. Most are only exported. */
export class SpanId {
  readonly high: number
  readonly low: number
  #text: string | null

  private constructor(high: number, low: number, text: string | null) {
    this.high = high
    this.low = low
    this.#text = text
  }

  /** A new one. */
  static random(): SpanId {
    return new SpanId(randomWord(), randomWord() || 1, null)
  }

  /** The one with this text, 16 hexadecimal digits. */
  static of(text: string): SpanId {
    return new SpanId(wordAt(text, 0), wordAt(text, 8), text)
  }

  get text(): string {
    this.#text ??= wordHex(this.high) + wordHex(this.low)
    return this.#text
  }
}

/** A trace, of which the id is exported. */
export interface TraceWords {
  /** Writes the four words of its id. */
  writeId(to: Int32Array, at: number): void
}

/** 32 random bits, as a signed number: V8 keeps those without an object of their own. */
export function randomWord(): number {
  return pooledRandomWord() | 0
}

/** 32 bits as eight hexadecimal digits. */
export function wordHex(word: number): string {
  return byteHex(word >>> 24) + byteHex(word >>> 16) + byteHex(word >>> 8) + byteHex(word)
}

/** The 32 bits that eight hexadecimal digits stand for. */
export function wordAt(text: string, at: number): number {
  return Number.parseInt(text.slice(at, at + 8), 16) | 0
}

function byteHex(word: number): string {
  return bytes[word & 255] ?? ''
}
