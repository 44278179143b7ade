import { addFactorsColumn } from 'framework/auth'
import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await addFactorsColumn(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropColumn('users', 'factors')
}
