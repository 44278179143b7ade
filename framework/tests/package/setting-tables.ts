import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tablesOf } from './page-tables.ts'
import type { PageTable } from './page-tables.ts'

/** A setting as described in a table of a guide. */
export interface DocumentedSetting {
  readonly page: string
  readonly variable: string
  /** As written, without Markdown; empty if there is none. */
  readonly default: string
}

/** The settings in every table with a variable and a default column. */
export function documentedSettings(folder: string): DocumentedSetting[] {
  return globSync('docs/**/*.md', { cwd: folder })
    .toSorted()
    .flatMap((page) =>
      tablesOf(readFileSync(join(folder, page), 'utf8')).flatMap((table) => read(page, table)),
    )
}

/** Everything in code style in the guides that looks like a variable or an error code. */
export function writtenNames(folder: string): ReadonlySet<string> {
  const names = globSync(['*.md', 'docs/**/*.md', 'demo/README.md'], { cwd: folder }).flatMap(
    (page) => {
      const text = readFileSync(join(folder, page), 'utf8')
      // Before `npm test` stand variables of the tests of this repository.
      const written = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?=`|=(?![^`]*npm test))/g
      return [...text.matchAll(written)].map(([, name = '']) => name)
    },
  )
  return new Set(names)
}

function read(page: string, { head, rows }: PageTable): DocumentedSetting[] {
  const at = head.findIndex((title) => title.toLowerCase() === 'default')
  if (head[0] !== 'Variable' || at === -1) return []
  return rows.flatMap((cells) => {
    const variables = namesIn(cells[0] ?? '')
    const told = (cells[at] ?? '').replaceAll('`', '')
    const values = variables.length === 1 ? [told] : told.split(', ')
    return variables.map((variable, index) => ({ page, variable, default: values[index] ?? '' }))
  })
}

/** Expands `A_B`, `_C` to A_B and A_C. */
function namesIn(cell: string): string[] {
  const names: string[] = []
  for (const [, name = ''] of cell.matchAll(/`(\w+)`/g)) {
    const whole = names.at(-1) ?? ''
    names.push(name.startsWith('_') ? whole.replace(/_[A-Z]+$/, name) : name)
  }
  return names
}
