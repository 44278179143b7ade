import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaFixMigration } from './schema-difference.ts'
import type { SchemaDifference, SchemaFix } from './schema-difference.ts'

function differing(fix: SchemaFix | null): SchemaDifference {
  return { aspect: 'column', table: 'posts', column: 'a', text: 'posts.a', isAdvice: false, fix }
}

const one: SchemaFix = { up: ['await one()'], down: ['await notOne()'] }
const two: SchemaFix = { up: ['await two()'], down: ['await notTwo()'] }

test('a migration reverts its steps in the opposite order', () => {
  assert.equal(
    schemaFixMigration([differing(one), differing(null), differing(two)]),
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

test('half a way back is left out, and nothing to fix is no migration', () => {
  const source = schemaFixMigration([differing(one), differing({ up: ['await x()'], down: null })])
  assert.doesNotMatch(source ?? '', /down/)
  assert.equal(schemaFixMigration([differing(null)]), null)
})

test('sql is imported if a comment shows a statement to fill in', () => {
  const source = schemaFixMigration([differing({ up: ['// await schema.run(sql`…`)'], down: [] })])
  assert.match(source ?? '', /^import \{ sql, type Schema \} from/)
})
