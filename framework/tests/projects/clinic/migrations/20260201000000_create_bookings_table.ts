import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await schema.createTable('bookings', (table) => {
    table.key('id')
    table.references('patient_id', 'users', { onDelete: 'cascade' })
    table.date('day')
    table.text('time', { length: 5 })
    // The database decides who is first.
    table.unique(['day', 'time'])
  })
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('bookings')
}
