/** Kinds of source text that have a colour of their own. */
export const TokenKinds = {
  Plain: 'plain',
  Keyword: 'keyword',
  Literal: 'literal',
  /** Strings, templates, regular expressions. */
  Text: 'text',
  Comment: 'comment',
  /** Called functions and markup attributes. */
  Name: 'name',
  Type: 'type',
} as const
Object.freeze(TokenKinds)
export type TokenKinds = (typeof TokenKinds)[keyof typeof TokenKinds]

/** A piece of a line; the tokens of a line joined together are the line. */
export interface Token {
  readonly kind: TokenKinds
  readonly text: string
}

/** Splits a source line by line, in order, and keeps state between lines. */
export interface Lexer {
  line(text: string): readonly Token[]
}

/** Collects the tokens of a line; unmarked text is plain. */
export class LineTokens {
  readonly #text: string
  readonly #tokens: Token[] = []
  #done = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Marks a part of the line, after those marked before, and returns its end. */
  mark(kind: TokenKinds, start: number, end: number): number {
    this.#plainUntil(start)
    this.#tokens.push({ kind, text: this.#text.slice(start, end) })
    this.#done = end
    return end
  }

  /** Inserts tokens for a part of the line. */
  insert(tokens: readonly Token[], start: number, end: number): void {
    this.#plainUntil(start)
    this.#tokens.push(...tokens)
    this.#done = end
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

/** The end of a sticky expression's match at this position; `at` when there is none. */
export function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at
  return sticky.test(text) ? sticky.lastIndex : at
}
