import { ScriptLexer } from './script-lexer.ts'
import { LineTokens, TokenKinds, endOf } from './token.ts'
import type { Lexer, Token } from './token.ts'

const tagStart = /<[/!?]?[A-Za-z][\w:-]*/y
const attribute = /[^\s=>"'/<]+/y
const codeStart = /<%[=~-]?/y

const Modes = {
  Text: 'text',
  Tag: 'tag',
  Value: 'value',
  Comment: 'comment',
  Code: 'code',
} as const
type Modes = (typeof Modes)[keyof typeof Modes]

/** Splits HTML, and the code between `<%` and `%>` in templates. */
export class MarkupLexer implements Lexer {
  #mode: Modes = Modes.Text
  /** The mode to return to when the current code ends. */
  #around: Modes = Modes.Text
  #quote = '"'
  #script = new ScriptLexer()

  line(text: string): readonly Token[] {
    const tokens = new LineTokens(text)
    let at = 0
    while (at < text.length) at = this.#step(text, at, tokens)
    return tokens.finish()
  }

  #step(text: string, at: number, tokens: LineTokens): number {
    if (this.#mode === Modes.Code) return this.#code(text, at, tokens)
    if (this.#mode === Modes.Comment) return this.#comment(text, at, at, tokens)
    if (this.#mode === Modes.Value) return this.#value(text, at, at, tokens)
    const code = endOf(codeStart, text, at)
    if (code > at) return this.#openCode(at, code, tokens)
    return this.#mode === Modes.Tag ? this.#tag(text, at, tokens) : this.#text(text, at, tokens)
  }

  #text(text: string, at: number, tokens: LineTokens): number {
    if (text.startsWith('<!--', at)) return this.#comment(text, at, at + 4, tokens)
    const end = endOf(tagStart, text, at)
    if (end > at) {
      this.#mode = Modes.Tag
      return tokens.mark(TokenKinds.Keyword, at, end)
    }
    const next = text.indexOf('<', at + 1)
    return next === -1 ? text.length : next
  }

  #tag(text: string, at: number, tokens: LineTokens): number {
    const character = text.charAt(at)
    if (character === '>' || text.startsWith('/>', at)) {
      this.#mode = Modes.Text
      return tokens.mark(TokenKinds.Keyword, at, at + (character === '>' ? 1 : 2))
    }
    if (character === '"' || character === "'") {
      this.#quote = character
      return this.#value(text, at, at + 1, tokens)
    }
    const end = endOf(attribute, text, at)
    return end > at ? tokens.mark(TokenKinds.Name, at, end) : at + 1
  }

  #value(text: string, start: number, from: number, tokens: LineTokens): number {
    const close = text.indexOf(this.#quote, from)
    const code = text.indexOf('<%', from)
    if (code !== -1 && (close === -1 || code < close)) {
      if (code > start) tokens.mark(TokenKinds.Text, start, code)
      this.#mode = Modes.Value
      return this.#openCode(code, endOf(codeStart, text, code), tokens)
    }
    this.#mode = close === -1 ? Modes.Value : Modes.Tag
    return tokens.mark(TokenKinds.Text, start, close === -1 ? text.length : close + 1)
  }

  #comment(text: string, start: number, from: number, tokens: LineTokens): number {
    const close = text.indexOf('-->', from)
    this.#mode = close === -1 ? Modes.Comment : Modes.Text
    return tokens.mark(TokenKinds.Comment, start, close === -1 ? text.length : close + 3)
  }

  #openCode(start: number, end: number, tokens: LineTokens): number {
    this.#around = this.#mode
    this.#mode = Modes.Code
    this.#script = new ScriptLexer()
    return tokens.mark(TokenKinds.Keyword, start, end)
  }

  #code(text: string, at: number, tokens: LineTokens): number {
    const close = text.indexOf('%>', at)
    const end = close === -1 ? text.length : close
    if (end > at) tokens.insert(this.#script.line(text.slice(at, end)), at, end)
    if (close === -1) return end
    this.#mode = this.#around
    return tokens.mark(TokenKinds.Keyword, close, close + 2)
  }
}
