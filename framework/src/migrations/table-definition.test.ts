import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../base/errors.ts'
import { Orders } from '../database/sql/plan/operators.ts'
import type { TableBuilder } from './table-builder.ts'
import { columnDefinition, tableDefinition } from './table-definition.ts'

function indexNames(define: (table: TableBuilder) => void): string[] {
  return tableDefinition('posts', define).indexes.map(({ name }) => name)
}

test('columns keep their order and are not null by default', () => {
  const { columns, primary } = tableDefinition('posts', (table) => {
    table.key()
    table.text('title', { length: 80 }).nullable()
    table.boolean('open').default(true)
  })
  assert.deepEqual(primary, ['id'])
  assert.deepEqual(
    columns.map(({ name, kind, isNullable, length }) => [name, kind, isNullable, length]),
    [
      ['id', 'bigint', false, null],
      ['title', 'text', true, 80],
      ['open', 'boolean', false, null],
    ],
  )
})

test('a unique column gets an index', () => {
  assert.deepEqual(
    indexNames((table) => void table.text('slug', { length: 9 }).unique()),
    ['posts_slug_unique'],
  )
})

test('a foreign key column is indexed, once', () => {
  assert.deepEqual(
    indexNames((table) => void table.references('author_id', 'users')),
    ['posts_author_id_index'],
  )
  const covered = indexNames((table) => {
    table.references('author_id', 'users')
    table.integer('views')
    table.index(['author_id', 'views'])
  })
  assert.deepEqual(covered, ['posts_author_id_views_index'])
  const joining = indexNames((table) => {
    table.references('post_id', 'posts')
    table.references('tag_id', 'tags')
    table.primary(['post_id', 'tag_id'])
  })
  assert.deepEqual(joining, ['posts_tag_id_index'])
})

test('an index has a direction for each column, and any name', () => {
  const { indexes } = tableDefinition('posts', (table) => {
    table.integer('views')
    table.integer('rank')
    table.unique([['views', Orders.Desc], 'rank'], { name: 'best' })
  })
  assert.deepEqual(indexes, [
    {
      name: 'best',
      table: 'posts',
      columns: [
        { name: 'views', expression: null, order: 'desc' },
        { name: 'rank', expression: null, order: 'asc' },
      ],
      isUnique: true,
      where: null,
    },
  ])
})

const refused: Readonly<Record<string, (table: TableBuilder) => void>> = {
  'without a column': () => undefined,
  'with a column twice': (table) => {
    table.integer('a')
    table.text('a')
  },
  'with an index over a column it lacks': (table) => {
    table.integer('a')
    table.index(['b'])
  },
  'with an index over nothing': (table) => {
    table.integer('a')
    table.index([])
  },
  'with a column twice in an index': (table) => {
    table.integer('a')
    table.index(['a', ['a', Orders.Desc]])
  },
  'with two primary keys': (table) => {
    table.key('a')
    table.key('b')
  },
  'with a nullable primary key': (table) => {
    table.char('a', 2).nullable()
    table.primary(['a'])
  },
  'with a text of no length': (table) => void table.text('a', { length: 0 }),
  'with a text longer than MariaDB has': (table) => void table.text('a', { length: 16_384 }),
  'with a char of half a sign': (table) => void table.char('a', 1.5),
  'with more digits after the point than there are': (table) =>
    void table.decimal('a', { precision: 2, scale: 3 }),
  'with a name that a database would cut off': (table) => void table.integer('a'.repeat(64)),
}

for (const [what, define] of Object.entries(refused)) {
  test(`a table ${what} is refused`, () => {
    assert.throws(() => tableDefinition('posts', define), InvalidArgumentException)
  })
}

test('one column at a time is added, with its indexes, and no key', () => {
  const added = columnDefinition('posts', (table) => table.text('slug', { length: 9 }).unique())
  assert.equal(added.column.name, 'slug')
  assert.equal(added.indexes[0]?.name, 'posts_slug_unique')
  const two = (table: TableBuilder): void => {
    table.integer('a')
    table.integer('b')
  }
  assert.throws(() => columnDefinition('posts', two), InvalidArgumentException)
  assert.throws(() => columnDefinition('posts', (table) => table.key()), InvalidArgumentException)
})
