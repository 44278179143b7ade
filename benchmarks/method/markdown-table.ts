/** A Markdown table that also reads well in a terminal: first column left, the others right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = head.map((title, column) => {
    return Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0))
  })
  const line = (cells: readonly string[]): string => {
    const padded = widths.map((width, column) => {
      const cell = cells[column] ?? ''
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, column) => {
    return column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`
  })
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}
