import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBarrels } from './barrels.ts'

/**
 * Checks the exports map of the package in `folder`: every subpath leads to its own barrel
 * in `src/public`, every barrel has a subpath, and source, types and default name the same file.
 */
export function checkExportsMap(folder: string): string[] {
  const barrels = readBarrels(folder)
  const map = readExports(folder)
  const known = new Set(Object.keys(map).map(subpathOf))
  const unmapped = [...barrels.keys()].filter((subpath) => !known.has(subpath))
  return [
    ...Object.entries(map).flatMap(([key, entry]) => entryObjections(key, entry, barrels)),
    ...unmapped.map((subpath) => `${subpath} has a barrel but no entry in "exports"`),
    ...[...barrels.values()].flatMap(({ findings }) => findings),
  ]
}

/** The subpaths in the exports map of the package in `folder`. */
export function exportedSubpaths(folder: string): string[] {
  return Object.keys(readExports(folder)).map(subpathOf)
}

function entryObjections(key: string, entry: unknown, barrels: Map<string, unknown>): string[] {
  const subpath = subpathOf(key)
  const stem = subpath.replace(/^framework\//, '')
  const expected = {
    source: `./src/public/${stem}.ts`,
    types: `./dist/public/${stem}.d.ts`,
    default: `./dist/public/${stem}.js`,
  }
  // Node and the compiler use the first condition that matches, so the order matters.
  const agrees = JSON.stringify(entry) === JSON.stringify(expected)
  return [
    ...(barrels.has(subpath) ? [] : [`${subpath} is in "exports" but has no ${expected.source}`]),
    ...(agrees ? [] : [`${subpath} should map to ${JSON.stringify(expected)}`]),
  ]
}

function subpathOf(key: string): string {
  return key === '.' ? 'framework' : `framework/${key.slice('./'.length)}`
}

/** The map without `./package.json`, which only tools read. */
function readExports(folder: string): Record<string, unknown> {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { './package.json': _, ...subpaths } = exports
  return subpaths
}
