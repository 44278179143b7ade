import jsTokens from 'js-tokens'
import type { Token as ScriptToken } from 'js-tokens'
import { TokenKinds } from './token.ts'
import type { Token } from './token.ts'

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
const constant = /^[A-Z][A-Z\d_]+$/
const afterContextualKeyword = /[ \t]+[\w$'"{*[#]/y

const kinds: Partial<Readonly<Record<ScriptToken['type'], TokenKinds>>> = {
  HashbangComment: TokenKinds.Comment,
  MultiLineComment: TokenKinds.Comment,
  NoSubstitutionTemplate: TokenKinds.Text,
  NumericLiteral: TokenKinds.Literal,
  RegularExpressionLiteral: TokenKinds.Text,
  SingleLineComment: TokenKinds.Comment,
  StringLiteral: TokenKinds.Text,
  TemplateHead: TokenKinds.Text,
  TemplateMiddle: TokenKinds.Text,
  TemplateTail: TokenKinds.Text,
}

/** Splits JavaScript, TypeScript and JSON, one after the other as they are asked for. */
export function* scriptTokens(source: string): Generator<Token> {
  let at = 0
  for (const token of jsTokens(source)) {
    const { type, value: text } = token
    // A quote that nothing closes is an apostrophe.
    const isLone = type === 'StringLiteral' && !token.closed
    const kind = type === 'IdentifierName' ? kindOfName(source, at, text) : kinds[type]
    yield { kind: isLone ? TokenKinds.Plain : (kind ?? TokenKinds.Plain), text }
    at += text.length
  }
}

function kindOfName(source: string, at: number, name: string): TokenKinds {
  const end = at + name.length
  if (source[at - 1] !== '.' || source[at - 2] === '.') {
    if (literals.has(name)) return TokenKinds.Literal
    afterContextualKeyword.lastIndex = end
    const isContextual = contextualKeywords.has(name) && afterContextualKeyword.test(source)
    if (isContextual || keywords.has(name)) return TokenKinds.Keyword
  }
  if (constant.test(name)) return TokenKinds.Literal
  if (/^[A-Z]/.test(name)) return TokenKinds.Type
  return source[end] === '(' ? TokenKinds.Name : TokenKinds.Plain
}
