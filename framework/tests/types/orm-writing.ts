// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import type { Surface } from '../../src/database/surface.ts'
import * as column from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { createdAt, updatedAt, version } from '../../src/orm/entity/column.ts'
import type { KeyOf, NewRowOf, RowOf } from '../../src/orm/entity/row.ts'
import { belongsTo, hasMany, manyToMany } from '../../src/orm/relations/relation.ts'
import { Repository } from '../../src/orm/repository.ts'
import type { IncrementsOf } from '../../src/orm/rows/increment-rows.ts'

const { bigint, boolean, decimal, integer, key, text, timestamp } = column

// Mutually assignable, and neither is `any`.
type Same<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? false : true) : false
declare function same<A, B>(...proof: Same<A, B> extends true ? [] : [never]): void

declare const surface: Surface

const Posts = entity('posts', {
  id: key.integer(),
  title: text(),
  views: integer(),
  stock: integer().nullable(),
  size: bigint(),
  price: decimal(),
  isOpen: boolean(),
  at: timestamp().nullable(),
})
const posts = new Repository(Posts, surface)

// Amounts have the type of their column, without null; booleans and times have none.
same<
  IncrementsOf<typeof Posts>,
  { views?: number; stock?: number; size?: bigint; price?: string }
>()
// @ts-expect-error a text is not a number
void posts.increment(1, { title: 'a' })
// @ts-expect-error the key of a row stays
void posts.increment(1, { id: 1 })
same<Awaited<ReturnType<typeof posts.increment>>, RowOf<typeof Posts> | null>()
void posts.increment(1, { views: 1, size: -2n, price: '0.50' })
// @ts-expect-error a bigint is added to a bigint
void posts.increment(1, { size: 1 })
// @ts-expect-error null cannot be added
void posts.increment(1, { stock: null })
// @ts-expect-error a boolean is not a number
void posts.increment(1, { isOpen: true })
// @ts-expect-error no such column
void posts.incrementAll(posts.select(), { nope: 1 })

// An upsert of many takes the rows of an insert, and needs `by`.
const row = { title: 'a', views: 1, size: 1n, price: '1', isOpen: true }
same<Awaited<ReturnType<typeof posts.upsertMany>>, RowOf<typeof Posts>[]>()
void posts.upsertMany([row], { by: ['title'], update: ['views'] })
// @ts-expect-error at least one column identifies a row
void posts.upsertMany([row], { by: [] })
// @ts-expect-error a new row needs a title
void posts.upsertMany([{ views: 1 }], { by: ['title'] })

// Only many-to-many relations are attached, by keys of their target.
const Tags = entity('tags', { id: key.bigint(), word: text() })
const Notes = entity('notes', {
  id: key.text(),
  post: belongsTo(() => Posts),
  tags: manyToMany(() => Tags, { through: 'note_tags', source: 'note_id', target: 'tag_id' }),
})
const notes = new Repository(Notes, surface)
void notes.attach('n', 'tags', [1n])
void notes.detach('n', 'tags')
const changes = notes.sync('n', 'tags', [])
same<
  Awaited<typeof changes>,
  { readonly attached: readonly bigint[]; readonly detached: readonly bigint[] }
>()
// @ts-expect-error a key of tags is a bigint
void notes.attach('n', 'tags', ['a'])
// @ts-expect-error a key of notes is a text
void notes.sync(1, 'tags', [1n])
// @ts-expect-error not many-to-many
void notes.attach('n', 'post', [1])
// @ts-expect-error the keys to keep are required
void notes.sync('n', 'tags')

// Kept columns may be omitted from an insert, and are there in every row.
const Pages = entity('pages', {
  id: key.integer(),
  title: text(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  version: version(),
})
const pages = new Repository(Pages, surface)
same<
  NewRowOf<typeof Pages>,
  { title: string; id?: number; createdAt?: Date; updatedAt?: Date; version?: number }
>()
same<RowOf<typeof Pages>['version'], number>()
void pages.update(1, { title: 'a', version: 2 })
// @ts-expect-error a version is a number
void pages.update(1, { version: '2' })

// The column of a soft delete is one of the entity.
const Drafts = entity(
  'drafts',
  { id: key.integer(), deletedAt: timestamp().nullable() },
  { softDelete: 'deletedAt' },
)
const drafts = new Repository(Drafts, surface)
void drafts.all(drafts.select().withDeleted().onlyDeleted())
void drafts.restore(1)
void drafts.deleteForever(1)
// @ts-expect-error a key is a number
void drafts.restore('1')
// @ts-expect-error no such column
entity('drafts', { id: key.integer(), deletedAt: timestamp().nullable() }, { softDelete: 'gone' })

// Several key columns are one key, an object; a database generates none of them.
const Orders = entity('orders', {
  id: key.integer(),
  get lines() {
    return hasMany(() => Lines, 'orderId')
  },
})
const Lines = entity('lines', {
  orderId: key.integer(),
  line: key.integer(),
  token: key.uuid(),
  amount: integer(),
  order: belongsTo(() => Orders, 'orderId'),
})
const lines = new Repository(Lines, surface)
same<
  KeyOf<typeof Lines>,
  { readonly orderId: number; readonly line: number; readonly token: string }
>()
same<NewRowOf<typeof Lines>, { orderId: number; line: number; amount: number; token?: string }>()
same<KeyOf<typeof Orders>, number>()
void lines.find({ orderId: 1, line: 2, token: '' })
void lines.increment({ orderId: 1, line: 2, token: '' }, { amount: 1 })
void lines.upsertMany([], { by: ['orderId', 'line'] })
// @ts-expect-error a part of the key is missing
void lines.find({ orderId: 1, line: 2 })
// @ts-expect-error the key is an object
void lines.delete(1)
// @ts-expect-error a new row needs its whole key
void lines.insert({ orderId: 1, amount: 1 })

// A write is for all rows that match, and changes something.
void posts.updateAll(posts.select().filter('views', '>', 1), { views: 2, stock: null })
// @ts-expect-error the limit would be ignored
void posts.updateAll(posts.select().limit(3), { views: 2 })
// @ts-expect-error the same
void posts.deleteAll(posts.select().offset(3).filter('views', '>', 1))
// @ts-expect-error the same
void posts.incrementAll(posts.select().limit(3), { views: 2 })
// @ts-expect-error no changes
void posts.updateAll(posts.select(), {})
// @ts-expect-error no such column beside one
void posts.updateAll(posts.select(), { views: 1, nope: 1 })

// An entity has a key, and a soft delete a time.
const shape = { id: key.integer(), name: text(), at: timestamp(), goneAt: timestamp().nullable() }
entity('a', shape, { softDelete: 'goneAt' })
// @ts-expect-error a text
entity('a', shape, { softDelete: 'name' })
// @ts-expect-error never NULL
entity('a', shape, { softDelete: 'at' })
// @ts-expect-error no such column
entity('a', shape, { softDelete: 'nope' })
const keyless = new Repository(entity('a', { name: text() }), surface)
// @ts-expect-error there is no key
void keyless.find(1)
// @ts-expect-error the same
void keyless.delete({ name: 'a' })
