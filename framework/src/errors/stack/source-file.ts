import { readFileSync, statSync } from 'node:fs'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'

/** Lines of a source around a failing line. */
export interface Excerpt {
  /** Number of the first line, counted from 1. */
  readonly first: number
  readonly lines: readonly string[]
  /** Number of the failing line. */
  readonly marked: number
}

/** How many lines an excerpt shows on each side. */
export const EXCERPT_MARGIN = 8

const maxFiles = 100
const maxBytes = 1_048_576
const maxLineLength = 1_000
const files = new RecentTexts<{ readonly stamp: string; readonly lines: readonly string[] }>(
  maxFiles,
)
const texts = new RecentTexts<readonly string[]>(maxFiles)

/**
 * The lines of a source file, or null when it cannot be read or is too large. Returns the same array
 * until the file changes.
 */
export function sourceLines(file: string): readonly string[] | null {
  try {
    const stats = statSync(file)
    if (!stats.isFile() || stats.size > maxBytes) return null
    const stamp = `${stats.mtimeMs} ${stats.size}`
    const known = files.get(file)
    if (known?.stamp === stamp) return known.lines
    return files.set(file, { stamp, lines: split(readFileSync(file, 'utf8')) }).lines
  } catch {
    return texts.get(file) ?? null
  }
}

/** Keeps the text of a source file that is not on this machine. */
export function rememberText(file: string, text: string): void {
  if (text.length <= maxBytes) texts.set(file, split(text))
}

/** The lines around a line, or null when the source is not available. */
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
