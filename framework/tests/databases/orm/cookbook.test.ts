import assert from 'node:assert/strict'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Database } from '../../../src/database/surface.ts'
import { migrate } from '../../../src/migrations/migrator.ts'
import { cookbook, cookbookProgram } from '../../support/cookbook-program.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'

const { migration, recipes } = cookbook()

// Inside the package, where `framework/…` resolves to the package itself.
const folder = mkdtempSync(join(import.meta.dirname, '../../.tmp-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const program = join(folder, 'cookbook.ts')
const migrations = join(folder, 'migrations')
mkdirSync(migrations)
writeFileSync(join(migrations, '20260131120000_create_shop_tables.ts'), migration)
writeFileSync(program, cookbookProgram())

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
