import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseTree } from '../package/parse-tree.ts'
import { measure, MutationCopy } from './mutation-run.ts'
import { mutantsOf } from './mutations.ts'

const repository = join(import.meta.dirname, '..', '..', '..')

test('mutants change operators, conditions, values and calls, and leave types, imports and errors alone', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-mutations-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const source = `import { a } from './a.ts'
export type Kind = 'one' | 'two'
export function f(n: number, kind: Kind = 'one'): boolean {
  if (n < 3 && !a(n)) throw new TypeError('too small')
  a(7)
  return kind === 'two'
}
`
  writeFileSync(join(folder, 'f.ts'), source)
  const [file] = parseTree(folder)
  assert.ok(file !== undefined)
  assert.deepEqual(
    mutantsOf(file.ast).map(({ from, to, by }) => `${source.slice(from, to)} -> ${by}`),
    [
      "'one' -> ''",
      'n < 3 && !a(n) -> true',
      'n < 3 && !a(n) -> false',
      '< -> <=',
      '3 -> (3 + 1)',
      '&& -> ||',
      '! -> ',
      'a(7) -> ;',
      '7 -> (7 + 1)',
      '=== -> !==',
      "'two' -> ''",
    ],
  )
})

test('a change that a test notices is killed, one that none notices survives, and the source is as before', async (t) => {
  const copy = new MutationCopy(repository)
  t.after(() => copy.remove())
  const path = 'framework/src/base/is-alive.ts'
  const planted = 'framework/src/base/planted.ts'
  const write = (name: string, text: string): void => writeFileSync(join(copy.root, name), text)
  write(planted, 'export const half = (n: number): number => (n > 100 ? 100 : n / 2)\n')
  write(
    'framework/src/base/planted.test.ts',
    `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { half } from './planted.ts'
test('half', () => assert.equal(half(8), 4))
`,
  )
  const covering = await measure(copy, 'framework/src/base/planted.test.ts')
  assert.ok(covering !== null)
  assert.equal(covering.covered.has(path), false)
  assert.equal(covering.covered.get(planted)?.[50], 1)
  const file = parseTree(join(copy.root, 'framework/src/base')).find(
    (one) => one.path === 'planted.ts',
  )
  const outcomes: Record<string, boolean> = {}
  for (const mutant of file === undefined ? [] : mutantsOf(file.ast)) {
    const passes = (): Promise<boolean> => copy.passes(covering.path, 60_000)
    outcomes[`${mutant.from} ${mutant.by}`] = await copy.with(planted, mutant, passes)
  }
  assert.deepEqual(Object.values(outcomes), [false, true, true, true, true, false, false])
  assert.equal(await copy.passes(covering.path, 60_000), true)
})
