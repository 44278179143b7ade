import assert from 'node:assert/strict'
import { FrameworkError } from '../../../src/base/errors.ts'
import type { Database } from '../../../src/database/surface.ts'
import { Migrator } from '../../../src/migrations/migrator.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import type { Statement } from '../../../src/database/sql/plan/statement.ts'
import { plantMigrations as plant } from '../plant-migrations.ts'

/** Makes users, their posts and notes about them, with a few rows. */
export const tables = `
  export async function up(schema) {
    await schema.createTable('users', (table) => { table.key(); table.text('name', { length: 20 }) })
    await schema.createTable('posts', (table) => {
      table.key()
      table.text('title', { length: 20 }).default('untitled')
      table.text('views', { length: 20 }).nullable()
      table.decimal('price', { precision: 8, scale: 2 }).default('1.50')
      table.references('author_id', 'users', { onDelete: 'cascade' })
      table.index(['title', 'id'])
    })
    await schema.createTable('notes', (table) => {
      table.key()
      table.references('post_id', 'posts', { onDelete: 'cascade' })
    })
    await schema.run({ sql: "INSERT INTO users (name) VALUES ('Ada'), ('Bob')", parameters: [] })
    await schema.run({ sql: "INSERT INTO posts (title, views, author_id) VALUES ('One', '7', 1), ('Two', NULL, 2), ('Three', '9', 2)", parameters: [] })
    await schema.run({ sql: 'INSERT INTO notes (post_id) VALUES (1), (1), (2)', parameters: [] })
    await schema.run({ sql: "DELETE FROM posts WHERE title = 'Three'", parameters: [] })
  }`

/** The source of a migration. */
export const change = (up: string, down = '', head = ''): string =>
  `import { sql } from 'framework/database'
  import { Orders } from 'framework/orm'
  ${head}
  export async function up(schema) { ${up} }
  ${down === '' ? '' : `export async function down(schema) { ${down} }`}`

/** Applies `tables`, then the changes as one batch. */
export async function migrated(
  t: Parameters<typeof plant>[0],
  database: Database,
  ...changes: string[]
): Promise<Migrator> {
  const files = Object.fromEntries(
    [tables, ...changes].map((text, at) => [`2026010100000${at}_step_${at}.ts`, text]),
  )
  const migrator = new Migrator(database, plant(t, files))
  await migrator.up({ steps: 1 })
  await migrator.up()
  return migrator
}

/** The numbers of users, posts and notes. */
export async function counts(database: Database): Promise<number[]> {
  const numbers: number[] = []
  for (const table of ['users', 'posts', 'notes']) {
    const [row] = await database.rows(sql`SELECT COUNT(*) AS n FROM ${sql.name(table)}`)
    numbers.push(Number(row?.['n']))
  }
  return numbers
}

/** The code of the error of a statement, or `none`. */
export async function codeOf(database: Database, statement: Statement): Promise<string> {
  try {
    await database.run(statement)
    return 'none'
  } catch (error) {
    assert.ok(error instanceof FrameworkError)
    return error.code
  }
}
