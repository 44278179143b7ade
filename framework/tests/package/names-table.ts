import { readFileSync } from 'node:fs'
import { readBarrels } from './barrels.ts'

/** A row of the names table: `| \`Name\` | kind | what it is |` below the heading of its subpath. */
interface Row {
  readonly subpath: string
  readonly name: string
  readonly kind: string
  readonly meaning: string
}

/**
 * Compares the names table in `page` with the barrels of the package in `folder`:
 * every exported name has exactly one row with a description, and every row is exported. The kind
 * is `type` or `interface` exactly for names that exist only at compile time.
 */
export function checkNames(folder: string, page: string): string[] {
  const barrels = readBarrels(folder)
  const rows = readRows(readFileSync(page, 'utf8'))
  const documented = new Set(rows.map(({ subpath, name }) => `${subpath} ${name}`))
  const missing = [...barrels.values()].flatMap(({ subpath, values, types }) =>
    [...values, ...types]
      .filter((name) => !documented.has(`${subpath} ${name}`))
      .map((name) => `${name} of ${subpath} is not documented`),
  )
  const seen = new Set<string>()
  const wrong = rows.flatMap(({ subpath, name, kind, meaning }) => {
    const key = `${subpath} ${name}`
    if (seen.has(key)) return [`${name} of ${subpath} is documented twice`]
    seen.add(key)
    const isValue = barrels.get(subpath)?.values.has(name) ?? false
    const isType = barrels.get(subpath)?.types.has(name) ?? false
    if (!isValue && !isType) return [`${name} of ${subpath} is documented but not exported`]
    if (isValue === isTypeKind(kind)) return [`${name} of ${subpath} is not of kind ${kind}`]
    return meaning === '' ? [`${name} of ${subpath} has an empty row`] : []
  })
  return [...missing, ...wrong]
}

function isTypeKind(kind: string): boolean {
  return kind === 'type' || kind === 'interface'
}

function readRows(markdown: string): Row[] {
  const rows: Row[] = []
  let subpath = ''
  for (const line of markdown.split('\n')) {
    subpath = /^## `(framework[^`]*)`/.exec(line)?.[1] ?? subpath
    const [, name, kind, meaning] = /^\| *`([^`]+)` *\|([^|]*)\|(.*)\|\s*$/.exec(line) ?? []
    if (name === undefined || kind === undefined || meaning === undefined) continue
    rows.push({ subpath, name, kind: kind.trim(), meaning: meaning.trim() })
  }
  return rows
}
