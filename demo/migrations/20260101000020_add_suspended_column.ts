import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  // When an operator has suspended the account, epoch seconds.
  await schema.addColumn('users', (columns) => columns.bigint('suspended_at').nullable())
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropColumn('users', 'suspended_at')
}
