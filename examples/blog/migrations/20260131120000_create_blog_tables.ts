import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await schema.createTable('authors', (table) => {
    table.key('id')
    table.text('name', { length: 80 })
  })
  await schema.createTable('posts', (table) => {
    table.uuid('id')
    table.text('slug', { length: 80 }).unique()
    table.text('title', { length: 200 })
    table.text('body')
    table.enumeration('state', ['draft', 'live'])
    table.integer('views').default(0)
    table.timestamp('created_at')
    table.timestamp('updated_at')
    table.timestamp('deleted_at').nullable()
    table.integer('version')
    table.references('author_id', 'authors')
    table.primary(['id'])
    table.index(['state', 'created_at', 'id'])
  })
  await schema.createTable('comments', (table) => {
    table.key('id')
    table.text('words')
    table.boolean('is_shown').default(true)
    table.uuid('post_id').references('posts', { onDelete: 'cascade' })
    table.references('author_id', 'authors')
    table.index(['post_id', 'id'])
  })
  await schema.createTable('tags', (table) => {
    table.key('id')
    table.text('word', { length: 40 }).unique()
  })
  await schema.createTable('post_tags', (table) => {
    table.uuid('post_id').references('posts', { onDelete: 'cascade' })
    table.references('tag_id', 'tags', { onDelete: 'cascade' })
    table.primary(['post_id', 'tag_id'])
  })
}

export async function down(schema: Schema): Promise<void> {
  for (const table of ['post_tags', 'tags', 'comments', 'posts', 'authors']) {
    await schema.dropTable(table)
  }
}
