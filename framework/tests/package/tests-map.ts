import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isElementAccessExpression, isStringLiteral } from 'typescript/unstable/ast'
import type { TestProgram } from '../support/test-programs.ts'
import { codeIn, rowsOfTable } from './page-tables.ts'
import { parseTree, walk } from './parse-tree.ts'

type Programs = readonly Pick<TestProgram, 'name' | 'package' | 'variable'>[]

/** Variables of the system and of npm, which are not about the tests. */
const systems = ['NODE_OPTIONS', 'PATH', 'TMPDIR', 'npm_execpath']

/**
 * Compares the `README.md` of a folder of tests with what is in it, in both directions: folders and files,
 * the tests of `package`, programs, and variables.
 */
export function checkTestsMap(tests: string, programs: Programs): string[] {
  const page = readFileSync(join(tests, 'README.md'), 'utf8')
  return [
    ...compare('folder or file', entriesIn(tests), linksOf(page)),
    ...compare('test in package', packageTests(tests), codeIn(column(page, 'Tests of', 1))),
    ...checkPrograms(page, programs),
    ...compare('variable', variablesRead(tests, programs), codeIn(column(page, 'Variable', 0))),
  ]
}

function compare(what: string, there: readonly string[], named: readonly string[]): string[] {
  return [
    ...there
      .filter((one) => !named.includes(one))
      .map((one) => `the page does not name the ${what} ${one}`),
    ...named.filter((one) => !there.includes(one)).map((one) => `there is no ${what} ${one}`),
  ]
}

/** Examples of the documentation run in folders with a dot. */
function entriesIn(tests: string): string[] {
  return readdirSync(tests).filter((name) => !name.startsWith('.') && name !== 'README.md')
}

/** The links to what is directly in the folder. */
function linksOf(page: string): string[] {
  const links = [...page.matchAll(/\]\(([\w.-]+)\)/g)].map(([, link = '']) => link)
  return [...new Set(links)]
}

function packageTests(tests: string): string[] {
  return globSync('**/*.test.ts', { cwd: join(tests, 'package') })
    .map((file) => file.replace(/\.test\.ts$/, ''))
    .toSorted()
}

/** A program, its package and its variable are in one row; a row without variable is about a program never installed. */
function checkPrograms(page: string, programs: Programs): string[] {
  const rows = rowsOfTable(page, 'Program')
  const unlisted = programs.filter(
    ({ name, package: debian, variable }) =>
      !rows.some(
        ([names = '', from = '', , by = '']) =>
          names.split(', ').includes(name) &&
          codeIn(from).includes(debian) &&
          codeIn(by).includes(variable),
      ),
  )
  const listed = rows
    .filter(([, from]) => from !== 'never installed')
    .flatMap(([names = '', , , by = '']) => names.split(', ').concat(codeIn(by)))
  const known = new Set(programs.flatMap(({ name, variable }) => [name, variable]))
  return [
    ...unlisted.map(
      ({ name }) => `the page has no row with the program ${name}, its package and its variable`,
    ),
    ...listed
      .filter((word) => !known.has(word))
      .map((word) => `the tests know no program or variable ${word}`),
  ]
}

/** What the code of the tests takes from the environment by name, without the variables of programs. */
function variablesRead(tests: string, programs: Programs): string[] {
  const others = new Set([...systems, ...programs.map(({ variable }) => variable)])
  const read = new Set<string>()
  for (const { ast } of parseTree(tests)) {
    // Few files do, and walking all of them takes seconds.
    if (!ast.text.includes("process.env['")) continue
    walk(ast, (node) => {
      if (!isElementAccessExpression(node) || !isStringLiteral(node.argumentExpression)) return
      if (node.expression.getText(ast) === 'process.env') read.add(node.argumentExpression.text)
    })
  }
  return [...read].filter((name) => !others.has(name)).toSorted()
}

function column(page: string, head: string, at: number): string {
  return rowsOfTable(page, head)
    .map((cells) => cells[at] ?? '')
    .join(' ')
}
