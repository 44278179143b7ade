import type { Schema } from 'framework/database'
import { createScheduleTable } from 'framework/schedule'

export async function up(schema: Schema): Promise<void> {
  await createScheduleTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('schedule_tasks')
}
