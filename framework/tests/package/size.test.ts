import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { importEdges } from './import-edges.ts'
import { parseTree } from './parse-tree.ts'
import { readBarrels } from './barrels.ts'

const framework = join(import.meta.dirname, '..', '..')
const repository = join(framework, '..')
const src = join(framework, 'src')

/**
 * What a reader has to carry, of the package and of the projects it is handed out with. These numbers may only ever
 * be lowered: what adds something takes something away.
 */
const reached = { files: 904, lines: 98_774, names: 633, onlyHelpers: 120 }

const files = parseTree(src).filter(({ path }) => !path.endsWith('.test.ts'))
const paths = globSync(['framework/src/**/*.ts', 'demo/**/*.ts', 'starters/**/*.ts'], {
  cwd: repository,
  exclude: (path) => /(?:^|\/)(?:node_modules|tests)$|^(?:demo|starters\/\w+)\/storage$/.test(path),
}).filter((path) => !path.endsWith('.test.ts'))

for (const [what, counted] of Object.entries({
  files: paths.length,
  lines: paths.reduce((sum, path) => sum + linesOf(join(repository, path)), 0),
  names: [...readBarrels(framework).values()].reduce(
    (sum, { values, types }) => sum + new Set([...values, ...types]).size,
    0,
  ),
  onlyHelpers: countOnlyHelpers(),
})) {
  test(`the sources have no more ${what} than were reached, ${counted}`, () => {
    const held = new Map(Object.entries(reached)).get(what) ?? 0
    assert.ok(counted <= held, `${counted} ${what}, more than ${held}: take something away`)
    assert.ok(
      counted > held * 0.98,
      `${counted} ${what}, fewer than ${held}: lower the number here`,
    )
  })
}

/** Files that exactly one other file imports, from the same folder. */
function countOnlyHelpers(): number {
  const importers = Map.groupBy(
    importEdges(files).filter(({ from }) => !from.startsWith('public/')),
    ({ to }) => to,
  )
  return files.filter(({ path }) => {
    const from = new Set((importers.get(path) ?? []).map((edge) => edge.from))
    const [only] = from
    return only !== undefined && from.size === 1 && dirname(only) === dirname(path)
  }).length
}

function linesOf(path: string): number {
  return readFileSync(path, 'utf8').split('\n').length - 1
}
