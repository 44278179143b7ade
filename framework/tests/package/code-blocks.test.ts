import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { codeBlocks, objection, shellBlocks } from './code-blocks.ts'
import type { CodeBlock } from './code-blocks.ts'
import { fragments } from './documented-files.ts'
import { plantTree } from './planted-tree.ts'
import { fileOf, runPage } from './run-block.ts'
import { typeErrors } from './type-errors.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const blocks = codeBlocks(repository)
const programs = blocks.filter(({ label }) => label === 'run')

test('every TypeScript block in the documentation parses', () => {
  assert.ok(programs.length > 0, 'no page has a block that runs')
  assert.deepEqual(
    blocks.map(objection).filter((finding) => finding !== null),
    [],
  )
})

for (const [name, blocks] of Map.groupBy(programs, ({ page }) => page)) {
  test(`the programs of ${name} run`, async () => {
    assert.equal(await runPage(blocks), null)
  })
}

function page(t: TestContext, markdown: string): CodeBlock[] {
  return codeBlocks(plantTree(t, { 'docs/guides/page.md': markdown }))
}

test('blocks are found in nested pages, in lists and in longer fences, with their line', (t) => {
  const folder = plantTree(t, {
    'README.md': 'Text\n```ts run\nconst a = 1\n```\n```sh\nls\n```\n',
    'docs/a.md': '- item\n\n  ```ts\n  if (b) {\n    c()\n  }\n  ```\n',
    'docs/deep/b.md': '````md\n```ts\nnot mine\n```\n````\n~~~typescript\nd()\n~~~\n',
    'CHANGELOG.md': '```ts\nnot looked at\n```\n',
  })
  assert.deepEqual(codeBlocks(folder), [
    { page: 'README.md', line: 3, label: 'run', code: 'const a = 1' },
    { page: 'docs/a.md', line: 4, label: '', code: 'if (b) {\n  c()\n}' },
    { page: 'docs/deep/b.md', line: 7, label: '', code: 'd()' },
  ])
})

test('shell blocks are found separately', (t) => {
  const folder = plantTree(t, {
    'README.md':
      '```sh\nls\n```\n```ts\na()\n```\n```bash run\n# why\npwd\n```\n```shell\nno\n```\n',
  })
  assert.deepEqual(shellBlocks(folder), [
    { page: 'README.md', line: 2, label: '', code: 'ls' },
    { page: 'README.md', line: 8, label: 'run', code: '# why\npwd' },
  ])
})

test('a block that does not parse, a mistyped label and an unclosed block are found', (t) => {
  const broken = page(t, '```ts\nconst = 1\n```\n```ts runs\nconst a = 1\n```\n')
  const findings = broken.map(objection)
  assert.match(findings[0] ?? '', /^docs\/guides\/page\.md:2 does not parse: /)
  assert.equal(findings[1], 'docs/guides/page.md:5 is labelled runs, not run')
  assert.throws(() => page(t, '```ts\nconst a = 1\n'), /opens a code block that never ends/)
})

test('a program that throws is found, with its line on the page', async (t) => {
  const [block] = page(
    t,
    'Text\n\n```ts run\nconst a: number = 1\nthrow new Error(`a is ${a}`)\n```\n',
  )
  assert.ok(block)
  assert.match((await runPage([block])) ?? '', /page-md-4\.ts:5\n[^]*Error: a is 1/)
})

test('a program that imports the package runs, one with a missing export does not', async (t) => {
  const [good, bad] = page(
    t,
    `\`\`\`ts run
import * as framework from 'framework'
if (Object.keys(framework).length === 0) throw new Error('empty')
\`\`\`
\`\`\`ts run
import { missing } from 'framework'
missing()
\`\`\`
`,
  )
  assert.ok(good && bad)
  assert.equal(await runPage([good]), null)
  assert.match((await runPage([bad])) ?? '', /does not provide an export named 'missing'/)
})

test('a program that does not end is found', async (t) => {
  const [block] = page(t, '```ts run\nsetInterval(() => {}, 1000)\n```\n')
  assert.ok(block)
  assert.equal(await runPage([block], 300), 'docs/guides/page.md:2 failed (no end in 0.3 s):\n')
})

test('of the programs of a page, those that fail are told, and one that ends the others', async (t) => {
  const blocks = page(
    t,
    `\`\`\`ts run
globalThis.name = 'kept'
\`\`\`
\`\`\`ts run
throw new Error('not this one')
\`\`\`
\`\`\`ts run
process.exit()
\`\`\`
\`\`\`ts run
if (Reflect.has(globalThis, 'name')) throw new Error('not alone')
\`\`\`
`,
  )
  const [keeps, throws, exits, looks] = blocks
  assert.ok(keeps && throws && exits && looks)
  assert.equal(await runPage([keeps, keeps]), null)
  const failure = (await runPage([keeps, throws])) ?? ''
  assert.match(failure, /^docs\/guides\/page\.md:5 failed \(status 1\):\n[^]*not this one/)
  assert.match((await runPage([exits, keeps])) ?? '', /^docs\/guides\/page\.md:8 failed/)
  assert.match((await runPage([keeps, looks])) ?? '', /^only together: [^]*Error: not alone/)
})

test('a program or a fragment with a type error is found, with its line on the page', async (t) => {
  const program = page(t, '```ts run\nconst a: number = "text"\nconsole.log(a)\n```\n')
  const shown = (line: number, code: string): CodeBlock => {
    return { page: 'docs/guides/permissions.md', line, label: '', code }
  }
  const parts = fragments([
    shown(4, 'const two: number = 2\nallowFor(two)'),
    shown(9, '// services.ts\nconst one: string = 1'),
    shown(20, "import { Server } from 'framework/http'\nnew Server().nothing()"),
    shown(30, 'const router = 1\nrouter.toFixed()'),
  ])
  const errors = await typeErrors(t, [...program.map(fileOf), ...parts])
  assert.deepEqual(errors.match(/-\d+\.ts\(\d+,\d+\): error TS\d+/g), [
    '-2.ts(2,7): error TS2322',
    '-10.ts(10,7): error TS2322',
    '-20.ts(21,14): error TS2339',
    '-4.ts(5,10): error TS2345',
  ])
})
