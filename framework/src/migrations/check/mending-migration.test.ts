import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mendingMigration } from './mending-migration.ts'
import type { Mend, SchemaDifference } from './schema-difference.ts'

function differing(mend: Mend | null): SchemaDifference {
  return { aspect: 'column', table: 'posts', column: 'a', text: 'posts.a', isAdvice: false, mend }
}

const one: Mend = { up: ['await one()'], down: ['await notOne()'] }
const two: Mend = { up: ['await two()'], down: ['await notTwo()'] }

test('a migration reverts its steps in the opposite order', () => {
  assert.equal(
    mendingMigration([differing(one), differing(null), differing(two)]),
    `import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await one()
  await two()
}

export async function down(schema: Schema): Promise<void> {
  await notTwo()
  await notOne()
}
`,
  )
})

test('half a way back is left out, and nothing to mend is no migration', () => {
  const source = mendingMigration([differing(one), differing({ up: ['await x()'], down: null })])
  assert.doesNotMatch(source ?? '', /down/)
  assert.equal(mendingMigration([differing(null)]), null)
})

test('sql is imported if a comment shows a statement to fill in', () => {
  const source = mendingMigration([differing({ up: ['// await schema.run(sql`…`)'], down: [] })])
  assert.match(source ?? '', /^import \{ sql, type Schema \} from/)
})
