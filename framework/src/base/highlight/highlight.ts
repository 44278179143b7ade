import { maskText } from '../mask-text.ts'
import { MarkupLexer } from './highlight-markup.ts'
import { ScriptLexer } from './highlight-script.ts'
import { TokenKinds } from './highlight-token.ts'
import type { Lexer, Token } from './highlight-token.ts'

const script = /\.(?:[cm]?[jt]sx?|json[c5]?)$/i
const markup = /\.(?:html?|xml|svg|vue|svelte|astro|eta|ejs)$/i

interface Split {
  readonly lexer: Lexer
  readonly tokens: (readonly Token[])[]
}

const known = new WeakMap<readonly string[], Split>()

/**
 * The tokens of a line, counted from 1, of a whole file: what begins above the line is known, and
 * secrets in URLs are replaced. Each line is split once for as long as the array of lines lives.
 */
export function lineTokens(
  lines: readonly string[],
  number: number,
  file: string,
): readonly Token[] {
  let split = known.get(lines)
  if (split === undefined) {
    split = { lexer: lexerFor(file), tokens: [] }
    known.set(lines, split)
  }
  const { lexer, tokens } = split
  // Sources hold addresses with passwords more often than they should, and pages get passed on.
  for (const text of lines.slice(tokens.length, number)) tokens.push(lexer.line(maskText(text)))
  return tokens[number - 1] ?? []
}

function lexerFor(file: string): Lexer {
  if (script.test(file)) return new ScriptLexer()
  return markup.test(file) ? new MarkupLexer() : plain
}

const plain: Lexer = {
  line: (text) => (text === '' ? [] : [{ kind: TokenKinds.Plain, text }]),
}
