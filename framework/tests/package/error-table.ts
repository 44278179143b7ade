import { readFileSync } from 'node:fs'
import { isPropertyAssignment } from 'typescript/unstable/ast'
import { parseTree, walk } from './parse-tree.ts'

/**
 * Compares the error table in `page` (`| \`E_CODE\` | meaning | what to do |`) with
 * the catalogue `error-codes.ts` in the folder `base`: the same codes, once each, and no
 * empty cells.
 */
export function checkErrorTable(base: string, page: string): string[] {
  const codes = catalogue(base)
  const rows = readRows(readFileSync(page, 'utf8'))
  const listed = rows.map(([code]) => code)
  return [
    ...codes.filter((code) => !listed.includes(code)).map((code) => `${code} is not documented`),
    ...listed
      .filter((code, index) => listed.indexOf(code) !== index)
      .map((code) => `${code} is documented twice`),
    ...listed
      .filter((code) => !codes.includes(code))
      .map((code) => `${code} is documented but not in the catalogue`),
    ...rows
      .filter((cells) => cells.length !== 3 || cells.includes(''))
      .map(([code]) => `${code} needs a meaning and what to do`),
  ]
}

function catalogue(base: string): string[] {
  const file = parseTree(base).find(({ path }) => path === 'error-codes.ts')
  if (file === undefined) throw new Error(`no error-codes.ts in ${base}`)
  const codes: string[] = []
  walk(file.ast, (node) => {
    if (isPropertyAssignment(node)) codes.push(node.name.getText(file.ast))
  })
  return codes
}

function readRows(markdown: string): [string, ...string[]][] {
  return markdown.split('\n').flatMap((line): [string, ...string[]][] => {
    const [, code, rest] = /^\| *`(E_[A-Z0-9_]+)` *\|(.*)\|\s*$/.exec(line) ?? []
    if (code === undefined || rest === undefined) return []
    return [[code, ...rest.split(/(?<!\\)\|/).map((cell) => cell.trim())]]
  })
}
