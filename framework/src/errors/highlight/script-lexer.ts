import { LineTokens, TokenKinds, endOf } from './token.ts'
import type { Lexer, Token } from './token.ts'

const keywords = new Set(
  (
    'async await break case catch class const continue debugger default delete do else enum export ' +
    'extends finally for function if import in instanceof let new return static switch throw try ' +
    'typeof using var void while with yield'
  ).split(' '),
)
// Keywords only when a name, a string or a list of names follows.
const contextualKeywords = new Set(
  (
    'abstract as asserts declare from get implements infer interface is keyof module namespace of ' +
    'override private protected public readonly satisfies set type unique'
  ).split(' '),
)
const literals = new Set('true false null undefined this super NaN Infinity'.split(' '))

const word = /[\w$\u00A1-\uFFFF]+/y
const number = /\d[\w.]*/y
const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y
const expression = /\/(?![*/])(?:[^\\/[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*/y
const templateText = /(?:[^`\\$]|\\.?|\$(?!\{))*/y
const afterContextualKeyword = /\s+[\w$'"{*[#]/y
const constant = /^[A-Z][A-Z\d_]+$/

const Modes = { Code: 'code', Comment: 'comment', Template: 'template' } as const
type Modes = (typeof Modes)[keyof typeof Modes]

/**
 * Splits JavaScript, TypeScript and JSON. A lexer, not a parser: it guesses what only a grammar
 * could tell, such as a regular expression after `)`, and never fails.
 */
export class ScriptLexer implements Lexer {
  #mode: Modes = Modes.Code
  /** Open braces in the current code. */
  #braces = 0
  /** The same for the code around each enclosing template literal. */
  readonly #outer: number[] = []
  /** Whether a value just ended, so that a slash means division. */
  #value = false

  line(text: string): readonly Token[] {
    const tokens = new LineTokens(text)
    let at = 0
    while (at < text.length) {
      if (this.#mode === Modes.Code) at = this.#code(text, at, tokens)
      else if (this.#mode === Modes.Template) at = this.#template(text, at, at, tokens)
      else at = this.#comment(text, at, at, tokens)
    }
    return tokens.finish()
  }

  #code(text: string, at: number, tokens: LineTokens): number {
    switch (text.charAt(at)) {
      case ' ':
      case '\t':
        return at + 1
      case '/':
        return this.#slash(text, at, tokens)
      case '"':
      case "'":
        return this.#quoted(text, at, tokens)
      case '`':
        return this.#template(text, at, at + 1, tokens)
      case '{':
        this.#braces += 1
        this.#value = false
        return at + 1
      case '}':
        return this.#closeBrace(text, at, tokens)
      case ')':
      case ']':
        this.#value = true
        return at + 1
      default:
        return this.#wordOrSign(text, at, tokens)
    }
  }

  #slash(text: string, at: number, tokens: LineTokens): number {
    if (text[at + 1] === '/') return tokens.mark(TokenKinds.Comment, at, text.length)
    if (text[at + 1] === '*') return this.#comment(text, at, at + 2, tokens)
    const end = this.#value ? at : endOf(expression, text, at)
    this.#value = end > at
    return end > at ? tokens.mark(TokenKinds.Text, at, end) : at + 1
  }

  #comment(text: string, start: number, from: number, tokens: LineTokens): number {
    const close = text.indexOf('*/', from)
    this.#mode = close === -1 ? Modes.Comment : Modes.Code
    return tokens.mark(TokenKinds.Comment, start, close === -1 ? text.length : close + 2)
  }

  #quoted(text: string, at: number, tokens: LineTokens): number {
    this.#value = true
    const end = endOf(quoted, text, at)
    // An unclosed quote is treated as an apostrophe.
    return end > at ? tokens.mark(TokenKinds.Text, at, end) : at + 1
  }

  #template(text: string, start: number, from: number, tokens: LineTokens): number {
    this.#mode = Modes.Template
    const end = endOf(templateText, text, from)
    if (text[end] === '`') {
      this.#mode = Modes.Code
      this.#value = true
      return tokens.mark(TokenKinds.Text, start, end + 1)
    }
    if (end === text.length) return tokens.mark(TokenKinds.Text, start, end)
    this.#mode = Modes.Code
    this.#value = false
    this.#outer.push(this.#braces)
    this.#braces = 0
    return tokens.mark(TokenKinds.Text, start, end + 2)
  }

  #closeBrace(text: string, at: number, tokens: LineTokens): number {
    const outer = this.#braces === 0 ? this.#outer.pop() : undefined
    if (outer !== undefined) {
      this.#braces = outer
      return this.#template(text, at, at + 1, tokens)
    }
    this.#braces = Math.max(0, this.#braces - 1)
    this.#value = true
    return at + 1
  }

  #wordOrSign(text: string, at: number, tokens: LineTokens): number {
    const digits = endOf(number, text, at)
    if (digits > at) {
      this.#value = true
      return tokens.mark(TokenKinds.Literal, at, digits)
    }
    const end = endOf(word, text, at)
    if (end > at) return this.#word(text, at, end, tokens)
    if (at === 0 && text.startsWith('#!')) return tokens.mark(TokenKinds.Comment, 0, text.length)
    this.#value = false
    return at + 1
  }

  #word(text: string, at: number, end: number, tokens: LineTokens): number {
    const member = text[at - 1] === '.' && text[at - 2] !== '.'
    const kind = kindOf(text, at, end, member)
    this.#value = kind !== TokenKinds.Keyword
    return kind === TokenKinds.Plain ? end : tokens.mark(kind, at, end)
  }
}

function kindOf(text: string, at: number, end: number, member: boolean): TokenKinds {
  const name = text.slice(at, end)
  if (!member) {
    if (literals.has(name)) return TokenKinds.Literal
    if (keywords.has(name)) return TokenKinds.Keyword
    if (contextualKeywords.has(name) && endOf(afterContextualKeyword, text, end) > end) {
      return TokenKinds.Keyword
    }
  }
  if (constant.test(name)) return TokenKinds.Literal
  if (/^[A-Z]/.test(name)) return TokenKinds.Type
  return text[end] === '(' ? TokenKinds.Name : TokenKinds.Plain
}
