import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { parts } from './parts.ts'

/**
 * Removes parts from a copy of the scaffold: their files, and marked lines in other files. The markers
 * of the remaining parts are removed too.
 * @throws ConfigurationError for an invalid marker in the scaffold.
 */
export function leaveOutParts(folder: string, names: readonly string[]): void {
  for (const name of names) {
    for (const file of parts[name]?.files ?? []) leaveOutFile(folder, file)
  }
  const known = new Set(Object.keys(parts))
  const removed = new Set(names)
  for (const file of filesIn(folder)) {
    const text = readFileSync(file, 'utf8')
    const result = withoutParts(text, removed, known)
    // Files without markers are not rewritten: decoding an image as text would corrupt it.
    if (result !== text) writeFileSync(file, result)
  }
}

function leaveOutFile(folder: string, file: string): void {
  rmSync(join(folder, file), { recursive: true, force: true })
  const parent = dirname(file)
  if (parent === '.' || !existsSync(join(folder, parent))) return
  // `framework migrate` needs its folder, and git does not keep empty ones.
  if (readdirSync(join(folder, parent)).length > 0) return
  writeFileSync(join(folder, parent, '.gitkeep'), '')
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return entry.isFile() ? [path] : []
  })
}

const names = String.raw`[a-z-]+(?:, [a-z-]+)*`
const comment = (word: string): string =>
  String.raw`(?://|#|<!--|/\*|<% /\*) ${word}: (${names})(?: -->| \*/(?: %>)?)?`
const opening = new RegExp(String.raw`^\s*${comment('part')}$`)
const closing = new RegExp(String.raw`^\s*${comment('end')}$`)
const lineOf = new RegExp(String.raw`^(.*\S)\s+${comment('part')}$`)

interface Block {
  readonly names: string
  readonly isRemoved: boolean
}

/**
 * A text of the scaffold without the lines of removed parts, and without markers. The comment
 * `part: items` at the end of a line marks that line; on a line of its own it starts a block, which
 * `end: items` closes. `part: items, accounts` is removed only if both parts are.
 * @throws ConfigurationError for an unknown part or an unbalanced block.
 */
export function withoutParts(
  text: string,
  removed: ReadonlySet<string>,
  known: ReadonlySet<string>,
): string {
  const kept: string[] = []
  const blocks: Block[] = []
  const isRemoved = (names: string): boolean =>
    everyName(names, known).every((part) => removed.has(part))
  let gap = false
  for (const line of text.split('\n')) {
    const [, begun] = opening.exec(line) ?? []
    const [, ended] = closing.exec(line) ?? []
    if (begun !== undefined) blocks.push({ names: begun, isRemoved: isRemoved(begun) })
    if (ended !== undefined) close(blocks, ended)
    if (begun !== undefined || ended !== undefined) {
      gap = true
      continue
    }
    const [, plain = line, names] = lineOf.exec(line) ?? []
    if (blocks.some((block) => block.isRemoved) || (names !== undefined && isRemoved(names))) {
      gap = true
      continue
    }
    // Removed lines must not leave two blank lines in a row.
    if (gap && plain === '' && (kept.at(-1) ?? '') === '') continue
    gap = false
    kept.push(plain)
  }
  const [open] = blocks
  if (open !== undefined) throw invalidMarker(`"part: ${open.names}" is never closed`)
  return kept.join('\n')
}

function everyName(names: string, known: ReadonlySet<string>): readonly string[] {
  const all = names.split(', ')
  const unknown = all.find((part) => !known.has(part))
  if (unknown !== undefined) throw invalidMarker(`unknown part "${unknown}"`)
  return all
}

function close(blocks: Block[], names: string): void {
  const begun = blocks.pop()
  if (begun?.names === names) return
  const open = begun === undefined ? 'nothing' : `"${begun.names}"`
  throw invalidMarker(`"end: ${names}" closes ${open}`)
}

function invalidMarker(reason: string): ConfigurationError {
  return new ConfigurationError('E_NEW', `invalid part marker in the scaffold: ${reason}`)
}
