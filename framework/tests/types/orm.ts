// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import type { Surface } from '../../src/database/surface.ts'
import { Awaiting } from '../../src/orm/pagination/paginated.ts'
import * as column from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Modes, Pagination } from '../../src/orm/pagination/pagination.ts'
import { belongsTo, hasMany, hasOne, manyToMany } from '../../src/orm/relations/relation.ts'
import { Repository } from '../../src/orm/repository.ts'
import type { KeyOf, LoadedRow, NewRowOf, RowOf } from '../../src/orm/entity/row.ts'
import type { Scope } from '../../src/orm/selection.ts'
import { Matches, Nulls, Operators, Orders } from '../../src/database/sql/plan/operators.ts'

const {
  bigint,
  boolean,
  bytes,
  decimal,
  date,
  exactTimestamp,
  float,
  integer,
  json,
  key,
  text,
  timestamp,
} = column

const Users = entity('users', {
  id: key.bigint(),
  email: text(),
  // Entities that refer to each other, or to themselves, use a getter.
  get posts() {
    return hasMany(() => Posts, 'authorId')
  },
  get profile() {
    return hasOne(() => Profiles, 'userId')
  },
})
const Profiles = entity('profiles', { id: key.text(), user: belongsTo(() => Users) })
const Tags = entity('tags', {
  id: key.integer(),
  word: text(),
  get parent() {
    return belongsTo(() => Tags).nullable()
  },
})
const Posts = entity('posts', {
  id: key.integer(),
  title: text(),
  subtitle: text().nullable(),
  views: integer(),
  price: decimal(),
  isOpen: boolean(),
  size: bigint().optional(),
  publishedAt: timestamp().nullable(),
  author: belongsTo(() => Users),
  editor: belongsTo(() => Users, 'checkedBy').nullable(),
  tags: manyToMany(() => Tags, { through: 'post_tags', source: 'post_id', target: 'tag_id' }),
})

// Mutually assignable, and neither is `any`.
type Same<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? false : true) : false
declare function same<A, B>(...proof: Same<A, B> extends true ? [] : [never]): void

// A row has the declared columns and the foreign keys of its relations.
same<
  RowOf<typeof Posts>,
  {
    id: number
    title: string
    subtitle: string | null
    views: number
    price: string
    isOpen: boolean
    size: bigint
    publishedAt: Date | null
    authorId: bigint
    checkedBy: bigint | null
  }
>()
same<RowOf<typeof Tags>, { id: number; word: string; parentId: number | null }>()
same<RowOf<typeof Users>, { id: bigint; email: string }>()
same<KeyOf<typeof Users>, bigint>()
same<KeyOf<typeof Profiles>, string>()
same<NewRowOf<typeof Profiles>, { id: string; userId: bigint }>()
same<NewRowOf<typeof Users>, { email: string; id?: bigint }>()

const Every = entity('every', {
  id: key.integer(),
  ratio: float(),
  day: date(),
  moment: exactTimestamp(),
  document: json<{ words: string[] }>(),
  anything: json(),
  raw: bytes().nullable(),
})
same<
  RowOf<typeof Every>,
  {
    id: number
    ratio: number
    day: string
    moment: string
    document: { words: string[] }
    anything: unknown
    raw: Uint8Array | null
  }
>()

// A declared column takes precedence over the one of its relation.
const Notes = entity('notes', {
  id: key.integer(),
  authorId: bigint('writer'),
  author: belongsTo(() => Users),
})
same<RowOf<typeof Notes>, { id: number; authorId: bigint }>()

// Relations are on the row only when they were loaded.
type Loaded = LoadedRow<typeof Posts, 'author' | 'editor' | 'tags'>
same<Loaded['author'], { id: bigint; email: string }>()
same<Loaded['editor'], { id: bigint; email: string } | null>()
same<Loaded['tags'], { id: number; word: string; parentId: number | null }[]>()
same<LoadedRow<typeof Users, 'profile'>['profile'], { id: string; userId: bigint } | null>()
same<LoadedRow<typeof Users, 'posts'>['posts'], RowOf<typeof Posts>[]>()

declare const surface: Surface
const posts = new Repository(Posts, surface)
const users = new Repository(Users, surface)
const post = { title: 'Tea', views: 1, price: '1.50', isOpen: true, authorId: 1n }

// Inserts.
posts.insert(post)
posts.insert({ ...post, id: 1, size: 2n, subtitle: null, checkedBy: 3n })
// @ts-expect-error a column is missing
posts.insert({ title: 'Tea', price: '1.50', isOpen: true, authorId: 1n })
// @ts-expect-error a number for a text
posts.insert({ ...post, title: 7 })
// @ts-expect-error a text for a bigint
posts.insert({ ...post, authorId: '1' })
// @ts-expect-error a number for a bigint
posts.insert({ ...post, size: 1 })
// @ts-expect-error a number for a decimal, which would not be exact
posts.insert({ ...post, price: 1.5 })
// @ts-expect-error null for a column that is never NULL
posts.insert({ ...post, title: null })
// @ts-expect-error undefined is neither left out nor NULL
posts.insert({ ...post, subtitle: undefined })
// @ts-expect-error no such column
posts.insert({ ...post, titel: 'Tea' })
// @ts-expect-error a relation is no column
posts.insert({ ...post, author: { id: 1n, email: 'a@b.c' } })
// @ts-expect-error a key of text is not made by the database
new Repository(Profiles, surface).insert({ userId: 1n })
// @ts-expect-error each row is checked
posts.insertMany([post, { ...post, views: '1' }])

// Upserts, updates and deletes.
posts.upsert(post, { by: ['title', 'authorId'], update: ['views'] })
// @ts-expect-error no such column
posts.upsert(post, { by: ['titel'] })
// @ts-expect-error nothing to find the row by
posts.upsert(post, { by: [] })
// @ts-expect-error no such column
posts.upsert(post, { by: ['title'], update: ['author'] })
posts.update(1, { subtitle: null, views: 2 })
// @ts-expect-error a bigint for a key that is a number
posts.update(1n, { views: 2 })
// @ts-expect-error no such column
posts.update(1, { author: 2n })
// @ts-expect-error a text for a number
posts.updateAll(posts.select(), { views: '2' })
users.delete(1n)
// @ts-expect-error a number for a key that is a bigint
users.delete(1)
// @ts-expect-error a text for a key that is a bigint
users.find('1')

// Filters take values of the column's type, in the form that the operator needs.
posts
  .select()
  .filter('views', Operators.Between, [1, 2])
  .filter('authorId', Operators.In, [1n, 2n])
  .filter('subtitle', Operators.Equal, 'a')
  .filter('subtitle', Operators.IsNull)
  .filter('isOpen', Operators.IsTrue)
  .filter('publishedAt', Operators.Less, new Date())
  .match('subtitle', Matches.Contains, 'a')
// @ts-expect-error no such column
posts.select().filter('author', Operators.Equal, 1n)
// @ts-expect-error a column by its property, not by its name in SQL
posts.select().filter('author_id', Operators.Equal, 1n)
// @ts-expect-error a text for a bigint
posts.select().filter('authorId', Operators.Equal, '1')
// @ts-expect-error a text for a moment
posts.select().filter('publishedAt', Operators.Less, '2026-01-01')
// @ts-expect-error the value is missing
posts.select().filter('views', Operators.Greater)
posts.select().filter('subtitle', Operators.Equal, null).filter('subtitle', 'unequal', null)
// @ts-expect-error null is neither greater nor less than anything
posts.select().filter('subtitle', Operators.Greater, null)
// @ts-expect-error the column is never NULL
posts.select().filter('views', Operators.Equal, null)
// @ts-expect-error a range has two ends
posts.select().filter('views', Operators.Between, [1])
// @ts-expect-error a list is asked for
posts.select().filter('views', Operators.In, 1)
// @ts-expect-error IsNull takes no value
posts.select().filter('subtitle', Operators.IsNull, true)
// @ts-expect-error only a boolean is true
posts.select().filter('views', Operators.IsTrue)
// @ts-expect-error only texts match
posts.select().match('views', Matches.Contains, '1')
// @ts-expect-error a branch is held to the same rules
posts.select().either((branch) => branch.filter('views', Operators.Equal, '1'))
// @ts-expect-error no such column
posts.select().order(Orders.Asc, 'tags')
// @ts-expect-error no such direction
posts.select().order('up', 'views')
// @ts-expect-error no such relation
posts.select().with('title')

// Results know their relations.
const first = await posts.first(posts.select().with('author', 'tags'))
same<typeof first, LoadedRow<typeof Posts, 'author' | 'tags'> | null>()
const all = await posts.all()
same<typeof all, RowOf<typeof Posts>[]>()
// @ts-expect-error a relation that was not asked for
void all[0]?.author
// @ts-expect-error the row may be missing
void first.title
// @ts-expect-error the selection of another entity
posts.all(users.select())

// A cursor needs columns without NULL.
const exact = posts.select().order(Orders.Asc, 'views').with('author')
const nullable = posts.select().order(Orders.Asc, 'publishedAt').with('author')
const placed = posts.select().order(Orders.Asc, 'views', Nulls.Last)
const cursor = new Pagination({ cursor: 'WzFd' })
const start = new Pagination({ mode: Modes.Cursor })
const page = new Pagination({ page: 2 })
declare const either: Pagination
posts.paginate(exact, cursor)
posts.paginate(nullable, page)
posts.paginate(nullable, new Pagination())
posts.paginate(nullable)
// The mode is only known at run time.
posts.paginate(nullable, either)
// @ts-expect-error the order holds a column with NULL
posts.paginate(nullable, cursor)
// @ts-expect-error the same before the first cursor
posts.paginate(nullable, start)
// @ts-expect-error the order says where NULL goes
posts.paginate(placed, cursor)
// @ts-expect-error a page is held to it too
posts.page(nullable, new Pagination({ cursor: 'WzFd' }))
// @ts-expect-error and so is a walk
posts.walk(nullable)
// @ts-expect-error a further column does not help
posts.page(nullable.order(Orders.Asc, 'views'), cursor)

// Pages know their rows too, with all options or none.
const open: Scope<typeof Posts> = (selection) => selection.filter('isOpen', Operators.IsTrue)
const plain = await posts.page()
same<typeof plain.items, readonly RowOf<typeof Posts>[]>()
const walked = posts.walk(exact, { size: 10, scope: open })
same<typeof walked, AsyncGenerator<LoadedRow<typeof Posts, 'author'>, void, undefined>>()
const hydrated = posts.hydrate(posts.paginate(exact, cursor, open))
same<typeof hydrated.items, readonly LoadedRow<typeof Posts, 'author'>[]>()
const awaited = await Awaiting.hydrate(posts, posts.paginate(nullable, page))
same<typeof awaited.items, readonly LoadedRow<typeof Posts, 'author'>[]>()
// @ts-expect-error a scope is held to the columns
posts.page(exact, page, (selection) => selection.filter('open', Operators.IsTrue))
// @ts-expect-error no such input
void new Pagination({ size: 10 })
// @ts-expect-error one position
void new Pagination({ page: 1, cursor: 'WzFd' })
// @ts-expect-error one position
void new Pagination({ cursor: 'WzFd', before: 'WzFd' })
// @ts-expect-error no such input beside one
void new Pagination({ limit: 3, size: 10 })
declare const sent: { readonly page: number | null; readonly cursor: string | null }
void new Pagination({ ...sent, limit: 3 })
