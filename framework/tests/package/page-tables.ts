/** A table of a page, cell by cell. */
export interface PageTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The tables of a page. */
export function tablesOf(page: string): PageTable[] {
  const tables = page.match(/(?:^\|.*\n)+/gm) ?? []
  return tables.map((table) => {
    const [head = [], , ...rows] = table.trimEnd().split('\n').map(cellsOf)
    return { head, rows }
  })
}

/**
 * The rows of the table whose first column has this name.
 * @throws if there is none: no check may pass by not looking.
 */
export function rowsOfTable(page: string, name: string): PageTable['rows'] {
  const table = tablesOf(page).find(({ head }) => head[0] === name)
  if (table === undefined) throw new Error(`the page has no table with the column ${name}`)
  return table.rows
}

/** The words in code style in a text. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
}

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}
