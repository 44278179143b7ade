import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table of `SqlSubmissions` in a migration: `await createSubmissionsTable(schema)`. The
 * matching `down` is `schema.dropTable('submissions')`.
 */
export async function createSubmissionsTable(
  schema: Schema,
  name: string = 'submissions',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.char('slot', 64)
    table.char('digest', 64)
    table.char('claim', 32)
    table.text('sealed')
    table.bigint('expires')
    table.primary(['slot'])
    table.index(['expires'])
  })
}
