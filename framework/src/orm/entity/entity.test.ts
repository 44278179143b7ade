import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { integer, key, text, timestamp } from './column.ts'
import { entity } from './entity.ts'
import type { AnyEntity } from './entity.ts'
import { belongsTo, hasMany } from '../relations/relation.ts'

const names = ({ columns }: AnyEntity): string[] =>
  columns.map(({ property, name }) => `${property}=${name}`)

describe('columns', () => {
  test('are named in snake case unless they have a name, in the order they were declared in', () => {
    const Posts = entity('posts', {
      createdAt: timestamp(),
      id: key.integer(),
      title: text('head'),
    })
    assert.deepEqual(names(Posts), ['createdAt=created_at', 'id=id', 'title=head'])
  })

  test('end with the foreign keys implied by relations, which have the type of the key', () => {
    const Users = entity('users', { id: key.bigint() })
    const Posts = entity('posts', {
      author: belongsTo(() => Users),
      editor: belongsTo(() => Users, 'checkedBy').nullable(),
      id: key.integer(),
    })
    assert.deepEqual(names(Posts), ['id=id', 'authorId=author_id', 'checkedBy=checked_by'])
    const [, author, editor] = Posts.columns
    const facts = { kind: 'bigint', isKey: false, isNullable: false, isOptional: false }
    assert.partialDeepStrictEqual(author, facts)
    assert.partialDeepStrictEqual(editor, { ...facts, isNullable: true, isOptional: true })
  })

  test('contain a declared foreign key once, as declared', () => {
    const Users = entity('users', { id: key.bigint() })
    const Posts = entity('posts', {
      id: key.integer(),
      author: belongsTo(() => Users),
      authorId: integer('writer'),
    })
    assert.deepEqual(names(Posts), ['id=id', 'authorId=writer'])
  })

  test('of entities that refer to each other, and to themselves, are found', () => {
    const Companies = entity('companies', {
      id: key.integer(),
      get owner() {
        return belongsTo(() => People)
      },
      get parent() {
        return belongsTo(() => Companies).nullable()
      },
    })
    const People = entity('people', { id: key.text(), company: belongsTo(() => Companies) })
    assert.deepEqual(names(Companies), ['id=id', 'ownerId=owner_id', 'parentId=parent_id'])
    assert.deepEqual(names(People), ['id=id', 'companyId=company_id'])
    assert.equal(Companies.column('ownerId').kind, 'text')
    assert.equal(Companies.column('parentId').kind, 'safe-integer')
  })

  test('are the same list each time, and the key is one of them', () => {
    const Users = entity('users', { name: text(), id: key.integer() })
    assert.equal(Users.columns, Users.columns)
    assert.equal(Users.columns.indexOf(Users.key), 1)
  })

  test('are found by property; the error for an unknown one lists the columns', () => {
    const Users = entity('users', { id: key.integer(), fullName: text() })
    assert.equal(Users.column('fullName').name, 'full_name')
    assert.throws(() => Users.column('full_name'), {
      name: 'InvalidArgumentException',
      code: 'E_COLUMN',
      message: 'users has no column "full_name"; it has id, fullName',
    })
  })
})

describe('relations', () => {
  test('are found by property; the error for an unknown one lists the relations', () => {
    const Users = entity('users', { id: key.integer() })
    const Posts = entity('posts', { id: key.integer(), author: belongsTo(() => Users) })
    assert.equal(Posts.relation('author').kind, 'belongs-to')
    assert.equal(Posts.target('author'), Users)
    assert.throws(() => Posts.relation('id'), {
      code: 'E_COLUMN',
      message: 'posts has no relation "id"; it has author',
    })
    assert.throws(() => Users.relation('posts'), { message: /it has none$/ })
  })

  test('without an entity are an error', () => {
    const lost: Record<string, AnyEntity> = {}
    const Posts = entity('posts', { id: key.integer(), author: belongsTo(() => lost['Users']) })
    assert.throws(() => Posts.columns, {
      name: 'InvalidArgumentException',
      code: 'E_RELATION',
      message: /^posts\.author does not refer to an entity/,
    })
    assert.equal(Posts.key.name, 'id')
  })
})

describe('an entity is rejected', () => {
  test('without a table name', () => {
    assert.throws(() => entity('', { id: key.integer() }), { code: 'E_ENTITY' })
  })

  test('without a key', () => {
    const refusal = { code: 'E_ENTITY', message: /at least one column must be the key/ }
    assert.throws(() => entity('posts', { id: integer() }), refusal)
  })

  test('with a part that is neither a column nor a relation', () => {
    const Posts = entity('posts', { id: key.integer(), title: 'text' })
    assert.throws(() => Posts.columns, { code: 'E_ENTITY', message: /title is neither/ })
  })

  test('with two properties for one column', () => {
    const Users = entity('users', { id: key.integer() })
    const Posts = entity('posts', {
      id: key.integer(),
      writer: integer('author_id'),
      author: belongsTo(() => Users),
    })
    assert.throws(() => Posts.columns, {
      code: 'E_ENTITY',
      message: /column author_id belongs to both authorId and writer/,
    })
  })

  test('with a relation whose key would have the property of another relation', () => {
    const Users = entity('users', { id: key.integer() })
    const Posts = entity('posts', {
      id: key.integer(),
      author: belongsTo(() => Users, 'writers'),
      writers: hasMany(() => Users, 'postId'),
    })
    assert.throws(() => Posts.columns, { code: 'E_ENTITY', message: /belongs to both writers and/ })
  })
})

describe('a key of several columns', () => {
  const Lines = entity('lines', { invoiceId: key.integer(), line: key.integer(), id: key.uuid() })

  test('has them in the order of their declaration, and none is generated by the database', () => {
    assert.deepEqual(
      Lines.keys.map(({ property, isOptional }) => [property, isOptional]),
      [
        ['invoiceId', false],
        ['line', false],
        ['id', true],
      ],
    )
    assert.ok(Lines.keys.every((column) => Lines.columns.includes(column)))
  })

  test('is no key for a relation', () => {
    assert.throws(() => Lines.key, { code: 'E_RELATION', message: /invoiceId and line and id/ })
  })
})

describe('a soft delete', () => {
  const refused = { code: 'E_ENTITY', message: /softDelete names .* timestamp\(\)\.nullable\(\)/ }

  test('names a nullable timestamp', () => {
    const shape = { id: key.integer(), name: text(), at: timestamp(), gone: timestamp().nullable() }
    // @ts-expect-error a text
    assert.throws(() => entity('a', shape, { softDelete: 'name' }), refused)
    // @ts-expect-error a time that every row has
    assert.throws(() => entity('a', shape, { softDelete: 'at' }), refused)
    // @ts-expect-error no such column
    assert.throws(() => entity('a', shape, { softDelete: 'other' }), refused)
    const Soft = entity('a', shape, { softDelete: 'gone' })
    assert.equal(Soft.deletedAt, Soft.column('gone'))
    assert.equal(Soft.undeleted.length, 1)
  })

  test('is off by default', () => {
    const Plain = entity('a', { id: key.integer() })
    assert.equal(Plain.deletedAt, null)
    assert.deepEqual(Plain.undeleted, [])
  })
})
