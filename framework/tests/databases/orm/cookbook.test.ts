import assert from 'node:assert/strict'
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Database } from '../../../src/data/database/surface.ts'
import { migrate } from '../../../src/data/migrations/migrator.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'

const page = join(import.meta.dirname, '../../../../docs/guides/cookbook.md')
const text = readFileSync(page, 'utf8')
const [head = '', ...sections] = text.split(/^### /m)
const [entities = '', migration = '', repositories = ''] = blocksOf(head)
const recipes = sections.map((section) => {
  const [title = ''] = section.split('\n')
  return { title, code: blocksOf(section).join('\n') }
})

// Inside the package, where `framework/…` resolves to the package itself.
const folder = mkdtempSync(join(import.meta.dirname, '../../.tmp-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const program = join(folder, 'cookbook.ts')
const migrations = join(folder, 'migrations')
mkdirSync(migrations)
writeFileSync(join(migrations, '20260131120000_create_shop_tables.ts'), migration)
writeFileSync(
  program,
  `${entities}
import type { Database } from 'framework/database'
export function cookbook(database: Database): Readonly<Record<string, () => Promise<void>>> {
${repositories}
return {
${recipes.map(({ title, code }) => `${JSON.stringify(title)}: async () => {\n${code}\n},`).join('\n')}
} }
`,
)

test('the cookbook has thirty recipes or more, numbered', () => {
  assert.ok(recipes.length >= 30)
  for (const [index, { title, code }] of recipes.entries()) {
    assert.ok(title.startsWith(`${index + 1}. `), title)
    assert.ok(code !== '', title)
  }
})

onEveryDatabase((_name, open) => {
  test('every recipe of the cookbook works', async (t) => {
    const database = await open(t)
    await migrate(database, migrations)
    const loaded: { cookbook(on: Database): Record<string, () => Promise<void>> } = await import(
      pathToFileURL(program).href
    )
    // One after the other: later ones use the rows of earlier ones.
    for (const [title, run] of Object.entries(loaded.cookbook(database))) {
      await run().catch((error: unknown) => {
        throw new Error(`${title}: ${String(error)}`, { cause: error })
      })
    }
  })
})

function blocksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)
}
