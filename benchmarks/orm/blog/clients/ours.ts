import { connect } from '../../../../framework/dist/public/database.js'
import {
  belongsTo,
  bigint,
  count,
  entity,
  hasMany,
  integer,
  key,
  maximum,
  Operators,
  Orders,
  Repository,
  sum,
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
  const comments = new Repository(Comments, database)
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
      const rows = await comments.aggregate(
        comments
          .select()
          .filter('postId', Operators.GreaterOrEqual, from)
          .filter('postId', Operators.Less, from + BigInt(talliedPosts))
          .groupBy('authorId'),
        { comments: count(), score: sum('score'), best: maximum('score') },
      )
      return rows.map(({ authorId, comments, score, best }) => ({
        authorId,
        comments,
        score: score ?? 0,
        best: best ?? 0,
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
