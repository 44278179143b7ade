import { ConfigurationError } from '../../base/errors.ts'

const name = String.raw`[a-z-]+(?:, [a-z-]+)*`
const comment = (word: string): string =>
  String.raw`(?://|#|<!--|/\*|<% /\*) ${word}: (${name})(?: -->| \*/(?: %>)?)?`
const opening = new RegExp(String.raw`^\s*${comment('part')}$`)
const closing = new RegExp(String.raw`^\s*${comment('end')}$`)
const lineOf = new RegExp(String.raw`^(.*\S)\s+${comment('part')}$`)

interface Block {
  readonly names: string
  readonly isLeft: boolean
}

/**
 * A text of the scaffold without the lines of the parts that are left out, and without any mark. The
 * comment `part: items` behind a line marks that line; alone on a line it begins a block, which
 * `end: items` ends. `part: items, accounts` stays as long as one of them does.
 * @throws ConfigurationError when a mark names no part, or a block is not closed as it was opened.
 */
export function withoutParts(
  text: string,
  left: ReadonlySet<string>,
  known: ReadonlySet<string>,
): string {
  const kept: string[] = []
  const blocks: Block[] = []
  const isLeft = (names: string): boolean => everyName(names, known).every((part) => left.has(part))
  let gap = false
  for (const line of text.split('\n')) {
    const [, begun] = opening.exec(line) ?? []
    const [, ended] = closing.exec(line) ?? []
    if (begun !== undefined) blocks.push({ names: begun, isLeft: isLeft(begun) })
    if (ended !== undefined) close(blocks, ended)
    if (begun !== undefined || ended !== undefined) {
      gap = true
      continue
    }
    const [, plain = line, names] = lineOf.exec(line) ?? []
    if (blocks.some((block) => block.isLeft) || (names !== undefined && isLeft(names))) {
      gap = true
      continue
    }
    // What went, marks among it, leaves one blank line where it stood, not two.
    if (gap && plain === '' && (kept.at(-1) ?? '') === '') continue
    gap = false
    kept.push(plain)
  }
  const [open] = blocks
  if (open !== undefined) throw broken(`"part: ${open.names}" is never ended`)
  return kept.join('\n')
}

function everyName(names: string, known: ReadonlySet<string>): readonly string[] {
  const all = names.split(', ')
  const stranger = all.find((part) => !known.has(part))
  if (stranger !== undefined) throw broken(`"${stranger}" is no part`)
  return all
}

function close(blocks: Block[], names: string): void {
  const begun = blocks.pop()
  if (begun?.names === names) return
  throw broken(`"end: ${names}" ends ${begun === undefined ? 'nothing' : `"${begun.names}"`}`)
}

function broken(reason: string): ConfigurationError {
  return new ConfigurationError('E_NEW', `a mark in the scaffold is wrong: ${reason}`)
}
