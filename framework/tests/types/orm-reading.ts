// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import type { Surface } from '../../src/data/database/surface.ts'
import {
  boolean,
  decimal,
  integer,
  key,
  text,
  timestamp,
} from '../../src/data/repository/entity/column.ts'
import { entity } from '../../src/data/repository/entity/entity.ts'
import {
  average,
  count,
  maximum,
  minimum,
  sum,
} from '../../src/data/repository/aggregates/aggregate.ts'
import type { LoadedRow, RowOf } from '../../src/data/repository/entity/row.ts'
import { Pagination } from '../../src/data/repository/pagination/pagination.ts'
import {
  belongsTo,
  hasMany,
  hasOne,
  manyToMany,
} from '../../src/data/repository/relations/relation.ts'
import { Repository } from '../../src/data/repository/repository.ts'
import type { Selection } from '../../src/data/repository/selection.ts'
import { Operators, Orders } from '../../src/data/sql/plan/operators.ts'

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
