/** What a piece of source text is, as far as colours care. */
export const TokenKinds = {
  Plain: 'plain',
  Keyword: 'keyword',
  Literal: 'literal',
  /** Strings, templates, regular expressions. */
  Text: 'text',
  Comment: 'comment',
  /** Functions that are called, attributes of markup. */
  Name: 'name',
  Type: 'type',
} as const
Object.freeze(TokenKinds)
export type TokenKinds = (typeof TokenKinds)[keyof typeof TokenKinds]

/** A piece of a line; the pieces of a line in order are the line. */
export interface Token {
  readonly kind: TokenKinds
  readonly text: string
}

/** Splits a source, given line by line from its start, and remembers what is open at a line's end. */
export interface Lexer {
  line(text: string): readonly Token[]
}

/** Collects the tokens of a line; what nobody marks is plain. */
export class LineTokens {
  readonly #text: string
  readonly #tokens: Token[] = []
  #done = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Marks a part of the line, behind those marked before, and answers its end. */
  mark(kind: TokenKinds, start: number, end: number): number {
    this.#plainUntil(start)
    this.#tokens.push({ kind, text: this.#text.slice(start, end) })
    this.#done = end
    return end
  }

  /** Puts tokens in the place of a part of the line, and answers its end. */
  insert(tokens: readonly Token[], start: number, end: number): number {
    this.#plainUntil(start)
    this.#tokens.push(...tokens)
    this.#done = end
    return end
  }

  /** All tokens of the line. */
  finish(): readonly Token[] {
    this.#plainUntil(this.#text.length)
    return this.#tokens
  }

  #plainUntil(end: number): void {
    if (end <= this.#done) return
    this.#tokens.push({ kind: TokenKinds.Plain, text: this.#text.slice(this.#done, end) })
    this.#done = end
  }
}

/** Where a match of a sticky expression that starts right here ends; `at` when there is none. */
export function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at
  return sticky.test(text) ? sticky.lastIndex : at
}
