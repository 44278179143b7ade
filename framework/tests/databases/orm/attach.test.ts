import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { connect } from '../../../src/database/connect.ts'
import type { QueryEntry } from '../../../src/database/query-log.ts'
import type { Database } from '../../../src/database/surface.ts'
import { bigint, key, text } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import { belongsTo, manyToMany } from '../../../src/orm/relations/relation.ts'
import { Repository } from '../../../src/orm/repository.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { withLongTimeouts } from '../../support/long-timeouts.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'
import { createTables } from './create-tables.ts'

const Tags = entity('tags', {
  id: key.bigint(),
  word: text(),
  size: bigint().nullable(),
  get posts() {
    return manyToMany(() => Posts, { through: 'post_tags', source: 'tag_id', target: 'post_id' })
  },
})
const Pairs = entity('tags', {
  id: key.bigint(),
  others: manyToMany(() => Tags, { through: 'tag_pairs', source: 'one_id', target: 'other_id' }),
})
const Posts = entity('posts', {
  id: key.integer(),
  title: text(),
  parent: belongsTo(() => Tags).nullable(),
  tags: manyToMany(() => Tags, { through: 'post_tags', source: 'post_id', target: 'tag_id' }),
})

const absent = { name: 'FrameworkError', code: 'E_RELATION' }

onEveryDatabase((_, _open, create) => {
  let database: Database
  let elsewhere: Database
  let posts: Repository<typeof Posts>
  let tags: Repository<typeof Tags>
  let post: number
  let ids: bigint[]
  const deadlocks: string[] = []
  before(async () => {
    const url = withLongTimeouts(`${await create()}?`)
    const log = ({ sql: sent, failure }: QueryEntry): void => {
      if (failure === 'E_DEADLOCK') deadlocks.push(sent)
    }
    database = await connect(url, { log })
    elsewhere = await connect(url, { log })
    await createTables(database, async (schema) => {
      await schema.createTable('tags', (table) => {
        table.key('id')
        table.text('word')
        table.bigint('size').nullable()
      })
      await schema.createTable('posts', (table) => {
        table.key('id')
        table.text('title')
        table.references('parent_id', 'tags').nullable()
      })
      await schema.createTable('post_tags', (table) => {
        table.references('post_id', 'posts', { onDelete: 'cascade' })
        table.references('tag_id', 'tags', { onDelete: 'cascade' })
        table.primary(['post_id', 'tag_id'])
      })
      await schema.createTable('tag_pairs', (table) => {
        table.references('one_id', 'tags')
        table.references('other_id', 'tags')
        table.primary(['one_id', 'other_id'])
      })
    })
    posts = new Repository(Posts, database)
    tags = new Repository(Tags, database)
    const words = ['a', 'b', 'c', 'd', 'e', 'f'].map((word) => ({ word }))
    ids = (await tags.insertMany(words)).map(({ id }) => id)
  })
  after(() => Promise.all([database.close(), elsewhere.close()]))
  beforeEach(async () => {
    await posts.deleteAll(posts.select())
    post = (await posts.insert({ title: 'one' })).id
  })

  const pick = (...at: readonly number[]): bigint[] => at.map((index) => ids[index] ?? 0n)

  async function linked(): Promise<bigint[]> {
    const [row] = await posts.all(posts.select().with('tags'))
    return (row?.tags ?? []).map(({ id }) => id)
  }

  test('attach links what is not linked yet, and says what that was', async () => {
    assert.deepEqual(await posts.attach(post, 'tags', pick(2, 0, 2)), pick(2, 0))
    assert.deepEqual(await posts.attach(post, 'tags', pick(0, 1)), pick(1))
    assert.deepEqual(await posts.attach(post, 'tags', []), [])
    assert.deepEqual(await linked(), pick(0, 1, 2))
  })

  test('detach unlinks some rows or all, and says which were linked', async () => {
    await posts.attach(post, 'tags', pick(0, 1, 2))
    assert.deepEqual(await posts.detach(post, 'tags', pick(1, 5)), pick(1))
    assert.deepEqual(await posts.detach(post, 'tags', pick(1)), [])
    assert.deepEqual(await posts.detach(post, 'tags'), pick(0, 2))
    assert.deepEqual(await posts.detach(post, 'tags'), [])
    assert.deepEqual(await linked(), [])
  })

  test('sync links exactly the given rows', async () => {
    await posts.attach(post, 'tags', pick(0, 1))
    const changes = await posts.sync(post, 'tags', pick(3, 1))
    assert.deepEqual(changes, { attached: pick(3), detached: pick(0) })
    assert.deepEqual(await linked(), pick(1, 3))
    const again = await posts.sync(post, 'tags', pick(1, 3))
    assert.deepEqual(again, { attached: [], detached: [] })
  })

  test('a row that does not exist is an error, and nothing changes', async () => {
    await posts.attach(post, 'tags', pick(0))
    await assert.rejects(posts.sync(post, 'tags', [...pick(1), 10n ** 9n]), {
      ...absent,
      message: /tags 1000000000 does not exist/,
    })
    await assert.rejects(posts.attach(post + 1, 'tags', pick(1)), {
      ...absent,
      message: new RegExp(`posts ${post + 1} does not exist`),
    })
    await assert.rejects(posts.detach(post + 1, 'tags'), absent)
    assert.deepEqual(await linked(), pick(0))
  })

  test('of concurrent calls, from either side, one links each row', async () => {
    const fromPost = Array.from({ length: 6 }, (_call, at) =>
      (at % 2 === 0 ? posts : posts.using(elsewhere)).attach(post, 'tags', pick(0, 1, 2)),
    )
    const fromTags = pick(0, 1, 2).map((tag) => tags.attach(tag, 'posts', [post]))
    const attached = (await Promise.all(fromPost)).flat()
    for (const [at, list] of (await Promise.all(fromTags)).entries()) {
      if (list.length > 0) attached.push(...pick(at))
    }
    assert.deepEqual(
      attached.toSorted((one, other) => Number(one - other)),
      pick(0, 1, 2),
    )
    assert.deepEqual(await linked(), pick(0, 1, 2))
  })

  test('calls from both sides at once never end in a deadlock', async () => {
    const rows = await posts.insertMany(['two', 'three', 'four'].map((title) => ({ title })))
    const all = [post, ...rows.map(({ id }) => id)]
    const other = new Repository(Pairs, database)
    for (let round = 0; round < 3; round++) {
      deadlocks.length = 0
      const attached = await Promise.all([
        ...all.map((id, at) => posts.attach(id, 'tags', at < 2 ? ids : ids.toReversed())),
        ...ids.map((id, at) =>
          tags.using(elsewhere).attach(id, 'posts', at < 3 ? all : all.toReversed()),
        ),
      ])
      assert.equal(attached.flat().length, all.length * ids.length)
      await Promise.all(ids.map((id) => other.attach(id, 'others', ids.toReversed())))
      assert.deepEqual(deadlocks, [])
      await Promise.all(all.map((id) => posts.detach(id, 'tags')))
      await Promise.all(ids.map((id) => other.detach(id, 'others')))
    }
  })

  test('concurrent syncs leave the list of one of them', async () => {
    await posts.attach(post, 'tags', pick(0))
    const lists = [pick(1, 2), pick(3, 4), pick(0, 5), pick(2, 4)]
    await Promise.all(
      lists.map((list, at) =>
        (at % 2 === 0 ? posts : posts.using(elsewhere)).sync(post, 'tags', list),
      ),
    )
    const left = await linked()
    assert.ok(
      lists.some((list) => String(list) === String(left)),
      String(left),
    )
  })

  test('without a unique key, calls for one row still take turns', async () => {
    await createTables(database, async (schema) => {
      await schema.createTable('loose', (table) => {
        table.integer('post_id')
        table.bigint('tag_id')
      })
    })
    const Loose = entity('posts', {
      id: key.integer(),
      tags: manyToMany(() => Tags, { through: 'loose', source: 'post_id', target: 'tag_id' }),
    })
    const loose = new Repository(Loose, database)
    const calls = Array.from({ length: 6 }, () => loose.attach(post, 'tags', pick(0, 1)))
    assert.equal((await Promise.all(calls)).flat().length, 2)
    const rows = await database.rows(sql`SELECT tag_id FROM loose`)
    assert.equal(rows.length, 2)
  })

  test('without foreign keys, the unique key alone decides who was first', async () => {
    await createTables(database, async (schema) => {
      await schema.createTable('unchecked', (table) => {
        table.integer('post_id')
        table.bigint('tag_id')
        table.primary(['post_id', 'tag_id'])
      })
    })
    const fromPost = new Repository(
      entity('posts', {
        id: key.integer(),
        tags: manyToMany(() => Tags, {
          through: 'unchecked',
          source: 'post_id',
          target: 'tag_id',
        }),
      }),
      database,
    )
    const fromTag = new Repository(
      entity('tags', {
        id: key.bigint(),
        posts: manyToMany(() => Posts, {
          through: 'unchecked',
          source: 'tag_id',
          target: 'post_id',
        }),
      }),
      database,
    )
    for (const tag of ids) {
      const calls = [
        fromPost.attach(post, 'tags', [tag]),
        fromTag.attach(tag, 'posts', [post]),
        fromPost.attach(post, 'tags', [tag]),
        fromTag.attach(tag, 'posts', [post]),
      ]
      assert.equal((await Promise.all(calls)).flat().length, 1)
    }
  })

  test('inside a transaction, a failed call undoes only itself', async () => {
    await database.transaction(async (transaction) => {
      const inside = posts.using(transaction)
      await inside.attach(post, 'tags', pick(0))
      await assert.rejects(inside.sync(post, 'tags', [-1n]), absent)
      await inside.attach(post, 'tags', pick(1))
    })
    assert.deepEqual(await linked(), pick(0, 1))
  })

  test('wrong arguments are refused before anything is sent', async () => {
    const refusal = (code: string) => ({ name: 'InvalidArgumentException', code })
    // @ts-expect-error not many-to-many
    await assert.rejects(posts.attach(post, 'parent', [1n]), refusal('E_RELATION'))
    // @ts-expect-error no such relation
    await assert.rejects(posts.attach(post, 'nope', [1n]), refusal('E_COLUMN'))
    // @ts-expect-error a key of tags is a bigint
    await assert.rejects(posts.attach(post, 'tags', [1]), refusal('E_COLUMN_VALUE'))
    // @ts-expect-error a list
    await assert.rejects(posts.sync(post, 'tags'), refusal('E_INVALID_ARGUMENT'))
    // @ts-expect-error a key is required
    await assert.rejects(posts.sync(null, 'tags', []), refusal('E_COLUMN_VALUE'))
  })
})
