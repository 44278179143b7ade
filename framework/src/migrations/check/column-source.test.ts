import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnSource, neutralDefault, quoted } from './column-source.ts'
import type { SourceColumn } from './column-source.ts'

function column(kind: SourceColumn['kind'], options: Partial<SourceColumn> = {}): SourceColumn {
  return { name: 'a', kind, precision: 10, scale: 2, ...options }
}

test('a column is the call of its builder', () => {
  const target = { table: 'users', column: 'id' }
  const current = {
    name: 'a',
    type: 'char(4)',
    isNullable: false,
    hasDefault: false,
    default: null,
    limit: { length: 4, isFixed: true },
    members: null,
  }
  assert.deepEqual(
    [
      columnSource(column('safe-integer'), { isNullable: true }),
      columnSource(column('exact-timestamp'), { default: '.defaultNow()' }),
      columnSource(column('decimal')),
      columnSource(column('text'), { length: 190 }),
      columnSource(column('text'), { current }),
      columnSource(column('bigint'), { target }),
      columnSource(column('uuid'), { target: { table: 'users', column: 'code' } }),
      columnSource(column('enumeration', { members: ['a', "b'c"] })),
    ],
    [
      `table.safeInteger('a').nullable()`,
      `table.timestamp('a').defaultNow()`,
      `table.decimal('a', { precision: 10, scale: 2 })`,
      `table.text('a', { length: 190 })`,
      `table.char('a', 4)`,
      `table.references('a', 'users')`,
      `table.uuid('a').references('users', { column: 'code' })`,
      String.raw`table.enumeration('a', ['a', 'b\'c'])`,
    ],
  )
})

test('a text is TypeScript whatever it contains', () => {
  assert.equal(quoted(`it's "a" \\ \n`), String.raw`'it\'s "a" \\ \n'`)
})

test('a neutral default is one that every row can have', () => {
  assert.equal(neutralDefault(column('bigint')), '.default(0n)')
  assert.equal(
    neutralDefault(column('enumeration', { members: ['low', 'high'] })),
    `.default('low')`,
  )
  assert.equal(neutralDefault(column('timestamp')), null)
})
