import { sql } from 'framework/database'
import type { Schema } from 'framework/database'
import { createErrorTables, dropErrorTables } from 'framework/errors'

export async function up(schema: Schema): Promise<void> {
  await schema.createTable('students', (table) => {
    table.key()
    table.text('name', { length: 80 })
    table.text('email', { length: 120 })
  })
  await schema.createTable('instruments', (table) => {
    table.key()
    table.text('name', { length: 80 })
    table.text('family', { length: 40 })
    table.integer('value')
    table.integer('borrower').nullable()
  })
  await schema.createTable('loans', (table) => {
    table.key()
    table.integer('instrument')
    table.integer('student')
    table.unique(['instrument'])
  })
  // Every minute that somebody practised. Nothing looks up rows of one instrument, says its author.
  await schema.createTable('practice', (table) => {
    table.key()
    table.integer('instrument')
    table.integer('minutes')
  })
  await createErrorTables(schema)
  await schema.surface.run(sql`
    INSERT INTO students (name, email) SELECT 'Student ' || n, 'student' || n || '@school.example'
    FROM generate_series(1, 40) n`)
  await schema.surface.run(sql`
    INSERT INTO instruments (name, family, value, borrower)
    SELECT (ARRAY['Oboe', 'Viola', 'Horn', 'Harp'])[n % 4 + 1] || ' ' || n,
      (ARRAY['woodwind', 'strings', 'brass', 'strings'])[n % 4 + 1], 300 + n, n % 40 + 1
    FROM generate_series(1, 120) n`)
  await schema.surface.run(sql`
    INSERT INTO practice (instrument, minutes) SELECT n % 120 + 1, n % 50
    FROM generate_series(1, 150000) n`)
  await schema.surface.run(sql`INSERT INTO loans (instrument, student) VALUES (2, 3)`)
}

export async function down(schema: Schema): Promise<void> {
  await dropErrorTables(schema)
  for (const table of ['practice', 'loans', 'instruments', 'students'])
    await schema.dropTable(table)
}
