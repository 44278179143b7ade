import { connect, sql } from '../../../../framework/dist/public/database.js'
import {
  belongsTo,
  bigint,
  entity,
  hasMany,
  integer,
  key,
  Operators,
  Orders,
  Repository,
  text,
  timestamp,
} from '../../../../framework/dist/public/orm.js'
import { type Blog, feedComments, feedPosts, talliedPosts } from '../blog.ts'

const Authors = entity('authors', { id: key.bigint(), name: text() })

const Comments = entity('comments', {
  id: key.bigint(),
  postId: bigint(),
  body: text(),
  score: integer(),
  author: belongsTo(() => Authors),
})

const Posts = entity('posts', {
  id: key.bigint(),
  title: text(),
  comments: hasMany(() => Comments, 'postId'),
})

const Events = entity('events', {
  id: key.bigint(),
  name: text(),
  amount: integer(),
  at: timestamp(),
})

const Counters = entity('counters', { id: key.bigint(), name: text(), hits: integer() })

/** Our repositories, on whichever database the URL names. */
export async function open(url: string): Promise<Blog> {
  const database = await connect(url)
  const posts = new Repository(Posts, database)
  const events = new Repository(Events, database)
  const counters = new Repository(Counters, database)
  return {
    feed: (from) =>
      posts.all(
        posts
          .select()
          .filter('id', Operators.GreaterOrEqual, from)
          .order(Orders.Asc, 'id')
          .limit(feedPosts)
          .with({
            comments: (newest) =>
              newest.order(Orders.Desc, 'id').limit(feedComments).with('author'),
          }),
      ),
    tally: async (from) => {
      const rows = await database.rows(
        sql`SELECT author_id, COUNT(*) AS comments, SUM(score) AS score, MAX(score) AS best FROM comments WHERE post_id >= ${from} AND post_id < ${from + BigInt(talliedPosts)} GROUP BY author_id`,
      )
      return rows.map((row) => ({
        authorId: BigInt(String(row['author_id'])),
        comments: Number(row['comments']),
        score: Number(row['score']),
        best: Number(row['best']),
      }))
    },
    insertMany: (list) => events.insertMany(list),
    upsert: (counter) => counters.upsert(counter, { by: ['name'] }),
    upsertMany: (list) => counters.upsertMany(list, { by: ['name'] }),
    increment: async (id, by) => {
      const counter = await counters.increment(id, { hits: by })
      if (counter === null) throw new Error(`there is no counter ${id}`)
      return counter
    },
  }
}
