// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { compareSchema } from '../../src/migrations/check/compare-schema.ts'
import type { Schema } from '../../src/migrations/schema.ts'
import { integer, key, text } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import type { Surface } from '../../src/database/surface.ts'
import { Orders } from '../../src/database/sql/plan/operators.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'

export async function up(schema: Schema): Promise<void> {
  await schema.changeColumn('posts', (table) => table.integer('views').default(0).nullable())
  // @ts-expect-error the default of an integer is a number
  await schema.changeColumn('posts', (table) => table.integer('views').default('none'))
  // @ts-expect-error a function describes the column
  await schema.changeColumn('posts', 'views')

  await schema.addForeignKey('posts', 'author_id', 'users', { onDelete: 'set null' })
  await schema.addForeignKey('posts', 'author_id', 'users', { column: 'key', validate: false })
  // @ts-expect-error an unknown action
  await schema.addForeignKey('posts', 'author_id', 'users', { onDelete: 'explode' })
  // @ts-expect-error the table it refers to is missing
  await schema.addForeignKey('posts', 'author_id')

  const options = { unique: true, name: 'a', where: sql`a > ${1}`, concurrently: true }
  await schema.createIndex('posts', ['a', ['b', Orders.Desc], sql`lower(c)`], options)
  await schema.dropIndex('posts', [[sql`lower(c)`, Orders.Asc]], { name: 'a' })
  // @ts-expect-error a condition is a statement, so that no value becomes part of its text
  await schema.createIndex('posts', ['a'], { where: 'a > 1' })
  // @ts-expect-error an unknown direction
  await schema.createIndex('posts', [['a', 'down']])
  await schema.createTable('posts', (table) => {
    table.index([sql`lower(title)`], { name: 'titles' })
    // @ts-expect-error a new table has no writers to wait for
    table.index(['title'], { concurrently: true })
  })
}

export async function check(surface: Surface): Promise<readonly string[]> {
  const Posts = entity('posts', { id: key.integer(), title: text(), views: integer() })
  const differences = await compareSchema(surface, [Posts])
  // @ts-expect-error repositories and the like are no entities
  await compareSchema(surface, [{ table: 'posts' }])
  return differences.map((difference) => difference.text)
}
