import { stripVTControlCharacters } from 'node:util'
import type { Terminal } from './terminal.ts'

const gap = 2
/** Columns are not made narrower, even if the screen is. */
const minWidth = 8

/** Rows under headings, in aligned columns; what is wider than the screen goes on below. Ends with a newline. */
export function textTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { paint, columns }: Pick<Terminal, 'paint' | 'columns'>,
): string {
  const widths = fittedWidths(
    headings.map((heading, at) =>
      Math.max(heading.length, ...rows.map((row) => shown(row[at] ?? '').length)),
    ),
    columns,
  )
  const lines = (row: readonly string[]): string[] => {
    const cells = row.map((cell, at) => wrapped(cell, widths[at] ?? 0))
    const height = Math.max(...cells.map(({ length }) => length))
    return Array.from({ length: height }, (_, nth) =>
      cells.map((parts, at) => padded(parts[nth] ?? '', widths[at] ?? 0)).join(' '.repeat(gap)),
    ).map((line) => line.trimEnd())
  }
  return `${[...lines(headings).map(paint.bold), ...rows.flatMap(lines)].join('\n')}\n`
}

/** Takes from the widest columns what is too much. */
function fittedWidths(natural: readonly number[], columns: number): readonly number[] {
  const widths = [...natural]
  const total = widths.reduce((sum, width) => sum + width + gap, -gap)
  for (let over = total - columns; over > 0; over -= 1) {
    const widest = Math.max(...widths)
    if (widest <= minWidth) break
    widths[widths.indexOf(widest)] = widest - 1
  }
  return widths
}

/** The lines of a cell, each in its colour. */
function wrapped(cell: string, width: number): readonly string[] {
  const text = shown(cell)
  if (text.length <= width) return [cell]
  const [on = '', off] = cell.split(text)
  const parts =
    text.match(new RegExp(`\\S.{0,${width - 1}}(?=\\s|$)|\\S.{0,${width - 1}}`, 'gu')) ?? []
  return off === undefined ? parts : parts.map((part) => on + part + off)
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - shown(cell).length))
}

function shown(cell: string): string {
  return stripVTControlCharacters(cell)
}
