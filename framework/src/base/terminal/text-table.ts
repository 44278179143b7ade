import { stripVTControlCharacters } from 'node:util'
import type { Paint } from './paints.ts'

/** Rows under headings, in aligned columns. Ends with a newline. */
export function textTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  paintHeading: Paint,
): string {
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => shown(row[at] ?? ''))),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - shown(cell))))
      .join('  ')
      .trimEnd()
  const lines = [paintHeading(line(headings)), ...rows.map(line)]
  return `${lines.join('\n')}\n`
}

function shown(cell: string): number {
  return stripVTControlCharacters(cell).length
}
