import { maskSource } from '../../base/mask-text.ts'
import { MarkupLexer } from './markup-lexer.ts'
import { ScriptLexer } from './script-lexer.ts'
import { TokenKinds } from './token.ts'
import type { Lexer, Token } from './token.ts'

const script = /\.(?:[cm]?[jt]sx?|json[c5]?)$/i
const markup = /\.(?:html?|xml|svg|vue|svelte|astro|eta|ejs)$/i

interface Split {
  readonly lexer: Lexer
  readonly tokens: (readonly Token[])[]
}

const known = new WeakMap<readonly string[], Split>()

/**
 * The tokens of line `number` (from 1) of a file. Comments and templates that start above the line
 * are recognised, and secrets are redacted. Results are cached per array of lines.
 */
export function lineTokens(
  lines: readonly string[],
  number: number,
  file: string,
): readonly Token[] {
  const split = known.get(lines) ?? { lexer: lexerFor(file), tokens: [] }
  known.set(lines, split)
  const { lexer, tokens } = split
  // Sources contain URLs with passwords more often than they should, and reports get shared.
  for (const text of lines.slice(tokens.length, number)) tokens.push(lexer.line(maskSource(text)))
  return tokens[number - 1] ?? []
}

function lexerFor(file: string): Lexer {
  if (script.test(file)) return new ScriptLexer()
  return markup.test(file) ? new MarkupLexer() : plain
}

const plain: Lexer = {
  line: (text) => (text === '' ? [] : [{ kind: TokenKinds.Plain, text }]),
}
