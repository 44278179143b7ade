import { readFileSync, statSync } from 'node:fs'

/** Lines of a source around a place. */
export interface Excerpt {
  /** Number of the first line, counted from 1. */
  readonly first: number
  readonly lines: readonly string[]
  /** Number of the line that is meant. */
  readonly marked: number
}

/** How many lines an excerpt shows on each side. */
export const EXCERPT_MARGIN = 8

interface Kept {
  readonly stamp: string
  readonly lines: readonly string[]
}

const maxFiles = 100
const LARGEST_BYTES = 1_048_576
const maxLineLength = 1_000
const files = new Map<string, Kept>()
const texts = new Map<string, readonly string[]>()

/**
 * The lines of a source file, or null when there is none that could be shown. The same array is
 * given as long as the file does not change.
 */
export function sourceLines(file: string): readonly string[] | null {
  try {
    const stats = statSync(file)
    if (!stats.isFile() || stats.size > LARGEST_BYTES) return null
    const stamp = `${stats.mtimeMs} ${stats.size}`
    const known = files.get(file)
    if (known?.stamp === stamp) return known.lines
    const lines = split(readFileSync(file, 'utf8'))
    if (files.size >= maxFiles) files.clear()
    files.set(file, { stamp, lines })
    return lines
  } catch {
    return texts.get(file) ?? null
  }
}

/** Keeps a text to show for a file that is not on this machine. */
export function rememberText(file: string, text: string): void {
  if (texts.size >= maxFiles) texts.clear()
  if (text.length <= LARGEST_BYTES) texts.set(file, split(text))
}

/** The lines around a place, or null when they are not to be had. */
export function excerptOf(
  file: string,
  line: number,
  margin: number = EXCERPT_MARGIN,
): Excerpt | null {
  const all = line > 0 ? sourceLines(file) : null
  if (all === null || line > all.length) return null
  const first = Math.max(1, line - margin)
  return { first, lines: all.slice(first - 1, line + margin), marked: line }
}

function split(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line))
}
