import { maskSource } from '../../base/mask-text.ts'
import { scriptTokens } from './script-tokens.ts'
import { TokenKinds } from './token.ts'
import type { Token } from './token.ts'

const script = /\.(?:[cm]?[jt]sx?|json[c5]?)$/i
const markup = /\.(?:html?|xml|svg|vue|svelte|astro|eta|ejs)$/i

interface Split {
  /** Splits the next line. */
  readonly rest: Iterator<readonly Token[]>
  readonly lines: (readonly Token[])[]
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
  const split = known.get(lines) ?? { rest: splitLines(lines, file), lines: [] }
  known.set(lines, split)
  while (split.lines.length < Math.min(number, lines.length)) {
    split.lines.push(split.rest.next().value ?? [])
  }
  return split.lines[number - 1] ?? []
}

function* splitLines(
  lines: readonly string[],
  file: string,
): Generator<readonly Token[], undefined> {
  // Sources contain URLs with passwords more often than they should, and reports get shared.
  const source = lines.map(maskSource).join('\n')
  let line: Token[] = []
  for (const { kind, text } of tokensOf(source, file)) {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) {
        yield line
        line = []
      }
      const last = line.at(-1)
      // What is plain stays together.
      if (kind === TokenKinds.Plain && last?.kind === kind) {
        line[line.length - 1] = { kind, text: last.text + part }
      } else if (part !== '') line.push({ kind, text: part })
    }
  }
  yield line
}

function tokensOf(source: string, file: string): Iterable<Token> {
  if (script.test(file)) return scriptTokens(source)
  return markup.test(file) ? templateTokens(source) : [{ kind: TokenKinds.Plain, text: source }]
}

// What nothing closes goes on to the end.
const pieces = /(<%[=~-]?)([^]*?)(%>|$)|<!--[^]*?(?:-->|$)|[^<]+|</g

/** Comments, and the code between `<%` and `%>`; the rest of HTML is plain. */
function* templateTokens(source: string): Generator<Token> {
  for (const [text, open, code = '', close] of source.matchAll(pieces)) {
    if (open === undefined) {
      yield { kind: text.startsWith('<!--') ? TokenKinds.Comment : TokenKinds.Plain, text }
      continue
    }
    yield { kind: TokenKinds.Keyword, text: open }
    yield* scriptTokens(code)
    if (close) yield { kind: TokenKinds.Keyword, text: close }
  }
}
