import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Pagination } from '../../../src/orm/pagination/pagination.ts'
import { Operators, Orders } from '../../../src/database/sql/plan/operators.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { verbs } from '../sent-statements.ts'
import { openBlog } from './blog.ts'
import type { Blog } from './blog.ts'

onEveryDatabase((_, _open, create) => {
  let blog: Blog
  before(async () => {
    blog = await openBlog(create)
  })
  after(() => blog.database.close())

  const byId = () => blog.posts.select().order(Orders.Asc, 'id')

  test('a relation is narrowed and ordered as its selection says', async () => {
    const rows = await blog.posts.all(
      byId().with({
        comments: (comments) =>
          comments.filter('likes', Operators.Greater, 1).order(Orders.Desc, 'likes'),
      }),
    )
    assert.deepEqual(
      rows.map((post) => post.comments.map(({ id }) => id)),
      [[4, 3, 1, 2], [6], [], []],
    )
  })

  test('a limit counts for each row, after the order, with the key to break ties', async () => {
    const rows = await blog.posts.all(
      byId().with({ comments: (comments) => comments.order(Orders.Desc, 'likes').limit(2) }),
    )
    assert.deepEqual(
      rows.map((post) => post.comments.map(({ id }) => id)),
      [[4, 3], [6, 5], [], [7]],
    )
  })

  test('an offset counts for each row too, with and without a limit', async () => {
    const rows = await blog.posts.all(byId().with({ comments: (c) => c.offset(1).limit(2) }))
    assert.deepEqual(
      rows.map((post) => post.comments.map(({ id }) => id)),
      [[2, 3], [6], [], []],
    )
    const rest = await blog.posts.all(byId().with({ comments: (c) => c.offset(3) }))
    assert.deepEqual(
      rest.map((post) => post.comments.map(({ id }) => id)),
      [[4], [], [], []],
    )
    const none = await blog.posts.all(byId().with({ comments: (c) => c.limit(0) }))
    assert.ok(none.every(({ comments }) => comments.length === 0))
  })

  test('many-to-many is narrowed and limited for each row, from both sides', async () => {
    const rows = await blog.posts.all(
      byId().with({
        tags: (tags) =>
          tags
            .filter('word', Operators.Unequal, 'sea')
            .where(sql`id < ${99} AND word <> ${'p'}`)
            .order(Orders.Desc, 'word')
            .limit(1),
      }),
    )
    assert.deepEqual(
      rows.map((post) => post.tags.map(({ word }) => word)),
      [['tea'], ['tea'], [], ['tea']],
    )
    const tags = await blog.tags.all(
      blog.tags
        .select()
        .order(Orders.Asc, 'id')
        .with({ posts: (posts) => posts.order(Orders.Desc, 'views').limit(2).with('author') }),
    )
    assert.deepEqual(
      tags.map((tag) => tag.posts.map(({ id, author }) => `${id} ${author.name}`)),
      [['4 Ben', '1 Ada'], ['4 Ben'], ['4 Ben', '2 Ada']],
    )
  })

  test('relations of relations are loaded, with one query for each whatever the rows', async () => {
    const selection = byId().with({
      author: (author) => author.with('profile', 'boss'),
      tags: true,
      comments: (comments) => comments.limit(2).with({ author: (user) => user.with('boss') }),
    })
    const statements = await blog.sent.during(async () => {
      const rows = await blog.posts.all(selection)
      assert.deepEqual(
        rows.map(({ author }) => [author.name, author.profile?.city, author.boss?.name]),
        [
          ['Ada', undefined, undefined],
          ['Ada', undefined, undefined],
          ['Ben', 'Oslo', 'Ada'],
          ['Ben', 'Oslo', 'Ada'],
        ],
      )
      assert.deepEqual(
        rows[0]?.comments.map(({ author }) => author?.boss?.name ?? null),
        [null, 'Ada'],
      )
    })
    assert.equal(statements.length, 8)
  })

  test('the same in a transaction, where statements run in turn', async () => {
    const selection = byId().with({ comments: (c) => c.limit(1).with('author') })
    const statements = await blog.sent.during(() =>
      blog.database.transaction(async (transaction) => {
        const [first] = await blog.posts.using(transaction).all(selection)
        assert.equal(first?.comments[0]?.author?.name, 'Ada')
      }),
    )
    assert.equal(verbs(statements).filter((verb) => verb === 'SELECT').length, 3)
  })

  test('has-one is the first row by its order, or null', async () => {
    const rows = await blog.users.all(
      blog.users
        .select()
        .order(Orders.Asc, 'id')
        .with({ profile: (profile) => profile.filter('city', Operators.Equal, 'Rome') }),
    )
    assert.ok(rows.every(({ profile }) => profile === null))
  })

  test('a nullable belongs-to may be narrowed', async () => {
    const rows = await blog.posts.all(
      byId().with({ editor: (editor) => editor.filter('name', Operators.Equal, 'Ben') }),
    )
    assert.deepEqual(
      rows.map(({ editor }) => editor?.name),
      [undefined, 'Ben', undefined, undefined],
    )
  })

  test('first, pages by number and by cursor, and walks load what is narrowed', async () => {
    const selection = byId().with({ comments: (c) => c.order(Orders.Desc, 'id').limit(1) })
    const last = (post: { readonly comments: readonly { readonly id: number }[] } | null) =>
      post?.comments.map(({ id }) => id)
    assert.deepEqual(last(await blog.posts.first(selection)), [4])
    const page = await blog.posts.page(selection, new Pagination({ page: 2, limit: 2 }))
    assert.deepEqual(page.items.map(last), [[], [7]])
    const start = new Pagination({ mode: 'cursor', limit: 2 })
    const { items, pagination } = await blog.posts.page(selection, start)
    assert.deepEqual(items.map(last), [[4], [6]])
    assert.equal(pagination.more, true)
    const walked = []
    for await (const post of blog.posts.walk(selection, { size: 3 })) walked.push(last(post))
    assert.deepEqual(walked, [[4], [6], [], [7]])
  })

  test('relations are counted in one query each, all rows or some', async () => {
    const selection = byId()
      .withCount('tags', 'author')
      .withCount({ comments: (c) => c.filter('likes', Operators.GreaterOrEqual, 3) })
      .with({ author: (author) => author.withCount('posts') })
    const statements = await blog.sent.during(async () => {
      const rows = await blog.posts.all(selection)
      assert.deepEqual(
        rows.map((post) => [post.tagsCount, post.commentsCount, post.authorCount]),
        [
          [2, 4, 1],
          [1, 0, 1],
          [0, 0, 1],
          [3, 0, 1],
        ],
      )
      assert.deepEqual(
        rows.map(({ author }) => author.postsCount),
        [2, 2, 2, 2],
      )
    })
    assert.equal(statements.length, 6)
    const page = await blog.posts.page(byId().withCount('comments'), new Pagination({ limit: 2 }))
    assert.deepEqual(
      page.items.map(({ commentsCount }) => commentsCount),
      [4, 2],
    )
  })
})
