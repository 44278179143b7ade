/** Kinds of source text that have a colour of their own. */
export const TokenKinds = {
  Plain: 'plain',
  Keyword: 'keyword',
  Literal: 'literal',
  /** Strings, templates, regular expressions. */
  Text: 'text',
  Comment: 'comment',
  /** Called functions. */
  Name: 'name',
  Type: 'type',
} as const
Object.freeze(TokenKinds)
export type TokenKinds = (typeof TokenKinds)[keyof typeof TokenKinds]

/** A piece of a source; all of them joined together are the source. */
export interface Token {
  readonly kind: TokenKinds
  readonly text: string
}
