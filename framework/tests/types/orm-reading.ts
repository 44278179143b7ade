// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import type { Surface } from '../../src/database/surface.ts'
import {
  boolean,
  decimal,
  enumeration,
  integer,
  json,
  key,
  text,
  timestamp,
  uuid,
} from '../../src/orm/entity/column.ts'
import type { Column } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import type { Entity } from '../../src/orm/entity/entity.ts'
import { average, count, maximum, minimum, sum } from '../../src/orm/aggregate.ts'
import type { LoadedRow, RowOf } from '../../src/orm/entity/row.ts'
import { Pagination } from '../../src/orm/pagination/pagination.ts'
import { belongsTo, hasMany, hasOne, manyToMany } from '../../src/orm/relations/relation.ts'
import { Repository } from '../../src/orm/repository.ts'
import type { Selection } from '../../src/orm/selection.ts'
import { Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'

const Users = entity('users', {
  id: key.bigint(),
  name: text(),
  get posts() {
    return hasMany(() => Posts, 'authorId')
  },
  get profile() {
    return hasOne(() => Profiles, 'userId')
  },
})
const Profiles = entity('profiles', { id: key.text(), city: text(), user: belongsTo(() => Users) })
const Tags = entity('tags', { id: key.integer(), word: text() })
const Posts = entity('posts', {
  id: key.integer(),
  title: text(),
  views: integer(),
  price: decimal(),
  isOpen: boolean(),
  publishedAt: timestamp().nullable(),
  author: belongsTo(() => Users),
  editor: belongsTo(() => Users).nullable(),
  get comments() {
    return hasMany(() => Comments, 'postId')
  },
  tags: manyToMany(() => Tags, { through: 'post_tags', source: 'post_id', target: 'tag_id' }),
})
const Comments = entity('comments', {
  id: key.integer(),
  body: text(),
  post: belongsTo(() => Posts),
  author: belongsTo(() => Users).nullable(),
})

// Mutually assignable, and neither is `any`.
type Same<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? false : true) : false
declare function same<A, B>(...proof: Same<A, B> extends true ? [] : [never]): void

declare const surface: Surface
const posts = new Repository(Posts, surface)

// Relations of relations are on the rows of the relation.
const nested = await posts.all(
  posts.select().with({
    author: true,
    editor: (editor) => editor.with('profile'),
    comments: (comments) =>
      comments
        .filter('body', Operators.Unequal, '')
        .order(Orders.Desc, 'id')
        .limit(3)
        .with({ author: (author) => author.with('profile') }),
    tags: (tags) => tags.order(Orders.Asc, 'word'),
  }),
)
type Nested = (typeof nested)[number]
same<Nested['author'], RowOf<typeof Users>>()
same<Nested['editor'], LoadedRow<typeof Users, 'profile'> | null>()
same<Nested['tags'], RowOf<typeof Tags>[]>()
same<
  Nested['comments'][number]['author'],
  { id: bigint; name: string; profile: RowOf<typeof Profiles> | null } | null
>()
same<Nested['title'], string>()
// @ts-expect-error the author was loaded without a profile
void nested[0]?.author.profile
// @ts-expect-error no such relation
posts.select().with({ writer: true })
// @ts-expect-error no such relation beside one
posts.select().with({ author: true, writer: true })
// @ts-expect-error neither true nor a function
posts.select().with({ author: 1 })
// @ts-expect-error a column of another entity
posts.select().with({ comments: (comments) => comments.filter('title', Operators.Equal, '') })
// @ts-expect-error the function returns the selection
posts.select().with({ comments: (comments) => void comments.limit(3) })
// @ts-expect-error the function returns a selection of the same entity
posts.select().with({ comments: () => posts.select() })

// Counts are numbers beside the columns.
const counted = await posts.first(
  posts
    .select()
    .withCount('tags')
    .withCount({ comments: (comments) => comments.filter('body', Operators.Equal, 'a') })
    .with('author'),
)
same<
  typeof counted,
  (LoadedRow<typeof Posts, 'author'> & { tagsCount: number; commentsCount: number }) | null
>()
// @ts-expect-error no such relation
posts.select().withCount('title')
// @ts-expect-error no such relation
posts.select().withCount({ comment: true })

// Pages, walks and selections by name know it too.
const page = await posts.page(
  posts.select().with({ comments: (c) => c.limit(1) }),
  new Pagination(),
)
same<(typeof page.items)[number], LoadedRow<typeof Posts, 'comments'>>()
const walked = posts.walk(posts.select().withCount('comments'))
same<
  typeof walked,
  AsyncGenerator<RowOf<typeof Posts> & { commentsCount: number }, void, undefined>
>()
const named: Selection<typeof Posts> = posts.select().filter('views', Operators.Greater, 1)
same<Awaited<ReturnType<typeof posts.all<unknown>>>, RowOf<typeof Posts>[]>()
void posts.all(named)

// Only some columns are on the row, and so are the relations loaded with them.
const partial = await posts.all(posts.select().with('tags').only('title', 'views'))
same<(typeof partial)[number], { title: string; views: number; tags: RowOf<typeof Tags>[] }>()
const found = await posts.find(1, posts.select().only('title').withCount('comments'))
same<typeof found, { title: string; commentsCount: number } | null>()
const whole = await posts.find(1)
same<typeof whole, RowOf<typeof Posts> | null>()
// @ts-expect-error a column that was not read
void partial[0]?.price
// @ts-expect-error no such column
posts.select().only('author')
// @ts-expect-error at least one column
posts.select().only()
// @ts-expect-error rows with fewer columns are not rows of the entity
const lacking: Selection<typeof Posts> = posts.select().only('title')
void lacking
void posts.count(posts.select().only('title').distinct())

// Filters over relations know the columns of their entity.
posts.select().has('comments', (comments) => {
  comments.filter('body', Operators.Equal, 'a').has('author')
})
posts.select().hasNone('tags')
// @ts-expect-error no such relation
posts.select().has('title')
// @ts-expect-error no such column
posts.select().has('comments', (comments) => comments.filter('title', Operators.Equal, 'a'))

posts.select().lock('update', { skipLocked: true })
// @ts-expect-error no such option
posts.select().lock('update', { skip: true })
// @ts-expect-error no such lock
posts.select().lock('exclusive')

// What is computed has the type of its column, and groups have their columns.
same<Awaited<ReturnType<typeof posts.sum<'views'>>>, number | null>()
same<Awaited<ReturnType<typeof posts.sum<'price'>>>, string | null>()
same<Awaited<ReturnType<typeof posts.sum<'authorId'>>>, bigint | null>()
same<Awaited<ReturnType<typeof posts.average<'authorId'>>>, number | null>()
same<Awaited<ReturnType<typeof posts.average<'price'>>>, string | null>()
same<Awaited<ReturnType<typeof posts.maximum<'publishedAt'>>>, Date | null>()
const groups = await posts.aggregate(
  posts
    .select()
    .filter('isOpen', Operators.IsTrue)
    .groupBy('authorId', 'publishedAt')
    .having(count(), Operators.Greater, 2)
    .having(sum('price'), Operators.Less, '9.50')
    .having(minimum('publishedAt'), Operators.IsNotNull)
    .order(Orders.Desc, sum('views'))
    .limit(3),
  { posts: count(), total: sum('price'), views: average('views'), newest: maximum('publishedAt') },
)
same<
  typeof groups,
  {
    authorId: bigint
    publishedAt: Date | null
    posts: number
    total: string | null
    views: number | null
    newest: Date | null
  }[]
>()
const totals = await posts.aggregate(posts.select(), { posts: count('publishedAt') })
same<typeof totals, { posts: number }[]>()
const byName = await posts.aggregate(
  posts.select().groupBy('author.name', 'isOpen', 'editor.id').order(Orders.Desc, 'author.name'),
  { posts: count() },
)
same<
  typeof byName,
  { 'author.name': string; isOpen: boolean; 'editor.id': bigint | null; posts: number }[]
>()
// @ts-expect-error a post has several comments
posts.select().groupBy('comments.body')
// @ts-expect-error no such column
posts.select().groupBy('author.nome')
// @ts-expect-error a boolean has no sum
void posts.sum('isOpen')
// @ts-expect-error a boolean has no smallest value
void posts.minimum('isOpen')
// @ts-expect-error no such column
void posts.aggregate(posts.select(), { total: sum('cost') })
// @ts-expect-error not an aggregate
void posts.aggregate(posts.select(), { total: 'sum' })
// @ts-expect-error a count is compared with a number
posts.select().groupBy('authorId').having(count(), Operators.Greater, '2')
// @ts-expect-error a sum of decimals is compared with a text
posts.select().groupBy('authorId').having(sum('price'), Operators.Greater, 2)
// @ts-expect-error no such column
posts.select().groupBy('author')
// @ts-expect-error groups are not rows of the entity
void ((await posts.all(posts.select().groupBy('authorId'))) satisfies RowOf<typeof Posts>[])

// Documents are neither compared, ordered nor grouped, texts are not summed, and two locks exclude
// each other.
const Papers = entity('papers', {
  id: key.integer(),
  title: text(),
  code: uuid(),
  state: enumeration(['draft', 'live']),
  extra: json<{ readonly a: number }>().nullable(),
  words: json<string>(),
  deletedAt: timestamp().nullable(),
  author: belongsTo(() => Users),
  authorId: text(),
  get posts() {
    return hasMany(() => Posts, 'paperId')
  },
  get comments() {
    return hasMany(() => Comments, 'body')
  },
  get sheets() {
    return hasMany(() => Sheets, 'leafId')
  },
})
const Sheets = entity(
  'sheets',
  {
    id: key.integer(),
    paper: belongsTo(() => Papers, 'leafId'),
    goneAt: timestamp().nullable(),
    at: timestamp(),
  },
  { softDelete: 'goneAt' },
)
const papers = new Repository(Papers, surface)
const sheets = new Repository(Sheets, surface)
papers.select().filter('extra', Operators.IsNull)
// @ts-expect-error databases compare documents differently
papers.select().filter('extra', Operators.Equal, { a: 1 })
// @ts-expect-error also a document that is a text
papers.select().filter('words', '=', 'a')
// @ts-expect-error documents have no order
papers.select().order(Orders.Asc, 'extra')
// @ts-expect-error documents make no groups
papers.select().groupBy('title', 'extra')
// @ts-expect-error a text has no sum
void papers.sum('title')
// @ts-expect-error an enumeration has no average
void papers.average('state')
// @ts-expect-error a document has no smallest value
void papers.minimum('words')
// @ts-expect-error databases order UUIDs differently
void papers.maximum('code')
// @ts-expect-error a text has no sum
void papers.aggregate(papers.select(), { total: sum('title') })
// @ts-expect-error nor to order by
papers.select().groupBy('state').order(Orders.Asc, sum('title'))
posts.select().lock('update', { noWait: true })
// @ts-expect-error either skip locked rows or fail
posts.select().lock('update', { skipLocked: true, noWait: true })

// A relation needs a foreign key of the type of the key.
papers.select().with('sheets').with({ sheets: true }).withCount('sheets').has('sheets')
// @ts-expect-error posts have no paperId
papers.select().with('posts')
// @ts-expect-error the same
papers.select().with({ sheets: true, posts: true })
// @ts-expect-error the same
papers.select().withCount('posts')
// @ts-expect-error a text is not a number
papers.select().has('comments')
// @ts-expect-error a text is not a bigint
papers.select().with('author')

// Only rows with a soft delete are shown and brought back.
sheets.select().withDeleted().onlyDeleted().filter('id', '>', 1)
void sheets.restore(1)
// @ts-expect-error papers are deleted for good
papers.select().withDeleted()
// @ts-expect-error the same
papers.select().onlyDeleted()
// @ts-expect-error the same
void papers.restore(1)
declare const wide: Repository<Entity<{ readonly id: Column<number, true, true> }>>
wide.select().withDeleted()

// Signs instead of names of operators, and a selection that knows its repository.
const open = await posts.filter('views', '>=', 10).filter('title', '!=', 'a').with('author').all()
same<(typeof open)[number], LoadedRow<typeof Posts, 'author'>>()
const newest = await posts.filter('publishedAt', '=', null).only('id').limit(1).first()
same<typeof newest, { id: number } | null>()
const listed = await posts
  .select()
  .order(Orders.Asc, 'id')
  .page(new Pagination({ cursor: 'WzFd' }))
same<(typeof listed.items)[number], RowOf<typeof Posts>>()
const any: boolean = await posts.where(sql`views > ${1}`).exists()
void any
posts.select().groupBy('authorId').having(count(), '>', 2)
// @ts-expect-error no such sign
posts.filter('views', '~', 10)
// @ts-expect-error a text for a number
posts.filter('views', '>', '10')
// @ts-expect-error null has no order
posts.filter('publishedAt', '<', null)
// @ts-expect-error a cursor needs columns without NULL
void posts
  .select()
  .order(Orders.Asc, 'publishedAt')
  .page(new Pagination({ cursor: 'WzFd' }))
// @ts-expect-error a text is no statement
posts.where('views > 1')
