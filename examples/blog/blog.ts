import type { Database } from 'framework/database'
import {
  belongsTo,
  boolean,
  count,
  createdAt,
  entity,
  enumeration,
  hasMany,
  integer,
  key,
  manyToMany,
  maximum,
  Modes,
  Operators,
  Orders,
  Pagination,
  Repository,
  StaleRowError,
  sum,
  text,
  timestamp,
  updatedAt,
  version,
} from 'framework/orm'

const Authors = entity('authors', {
  id: key.integer(),
  name: text(),
  get posts() {
    return hasMany(() => Posts, 'authorId')
  },
})

const Tags = entity('tags', {
  id: key.integer(),
  word: text(),
  get posts() {
    return manyToMany(() => Posts, { through: 'post_tags', source: 'tag_id', target: 'post_id' })
  },
})

const Comments = entity('comments', {
  id: key.integer(),
  words: text(),
  isShown: boolean().optional(),
  author: belongsTo(() => Authors),
  get post() {
    return belongsTo(() => Posts)
  },
})

const Posts = entity(
  'posts',
  {
    id: key.uuid(),
    slug: text(),
    title: text(),
    body: text(),
    state: enumeration(['draft', 'live']),
    views: integer().optional(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: timestamp().nullable(),
    version: version(),
    author: belongsTo(() => Authors),
    comments: hasMany(() => Comments, 'postId'),
    tags: manyToMany(() => Tags, { through: 'post_tags', source: 'post_id', target: 'tag_id' }),
  },
  { softDelete: 'deletedAt' },
)

/** A post that someone wants to publish. */
export interface NewPost {
  readonly slug: string
  readonly title: string
  readonly body: string
  readonly author: string
  readonly tags: readonly string[]
}

/** A blog with tags, comments, drafts and a bin: the same program on every database. */
export class Blog {
  readonly #database: Database
  readonly #authors: Repository<typeof Authors>
  readonly #posts: Repository<typeof Posts>
  readonly #comments: Repository<typeof Comments>
  readonly #tags: Repository<typeof Tags>

  constructor(database: Database) {
    this.#database = database
    this.#authors = new Repository(Authors, database)
    this.#posts = new Repository(Posts, database)
    this.#comments = new Repository(Comments, database)
    this.#tags = new Repository(Tags, database)
  }

  async addAuthors(names: readonly string[]): Promise<void> {
    await this.#authors.insertMany(names.map((name) => ({ name })))
  }

  /** Stores a post with its tags, all or nothing, and returns its id. */
  async publish({ slug, title, body, author, tags }: NewPost): Promise<string> {
    return this.#database.transaction(
      async (transaction) => {
        const authors = this.#authors.using(transaction)
        const writer = await authors.first(authors.select().filter('name', Operators.Equal, author))
        if (writer === null) throw new Error(`there is no author ${author}`)
        const posts = this.#posts.using(transaction)
        const post = await posts.insert({ slug, title, body, state: 'live', authorId: writer.id })
        await this.#tag(posts, post.id, tags)
        return post.id
      },
      { retry: 3 },
    )
  }

  /** Replaces the tags of a post; unknown ones are made. */
  async retag(id: string, words: readonly string[]): Promise<void> {
    await this.#database.transaction(
      (transaction) => this.#tag(this.#posts.using(transaction), id, words),
      { retry: 3 },
    )
  }

  async #tag(posts: Repository<typeof Posts>, id: string, words: readonly string[]): Promise<void> {
    const rows = words.map((word) => ({ word }))
    const tags = await this.#tags.using(posts.surface).upsertMany(rows, { by: ['word'] })
    await posts.sync(
      id,
      'tags',
      tags.map((tag) => tag.id),
    )
  }

  async comment(postId: string, author: string, words: string): Promise<void> {
    const writer = await this.#authors.first(
      this.#authors.select().filter('name', Operators.Equal, author),
    )
    if (writer !== null) await this.#comments.insert({ postId, words, authorId: writer.id })
  }

  /** Another visitor has read a post. */
  async read(id: string): Promise<number | null> {
    return (await this.#posts.increment(id, { views: 1 }))?.views ?? null
  }

  /** A page of the blog: the newest posts, each with its two last comments, and how to go on. */
  async frontPage(tag: string | null, cursor: string | null): Promise<FrontPage> {
    const live = this.#posts
      .select()
      .filter('state', Operators.Equal, 'live')
      .order(Orders.Desc, 'createdAt')
      // Of posts of one millisecond the later one is first, too.
      .order(Orders.Desc, 'id')
      .with({
        author: true,
        tags: (tags) => tags.order(Orders.Asc, 'word'),
        comments: (comments) =>
          comments
            .filter('isShown', Operators.IsTrue)
            .order(Orders.Desc, 'id')
            .limit(2)
            .with('author'),
      })
      .withCount({ comments: (comments) => comments.filter('isShown', Operators.IsTrue) })
    if (tag !== null) live.has('tags', (tags) => tags.filter('word', Operators.Equal, tag))
    const place = cursor === null ? { mode: Modes.Cursor } : { cursor }
    const page = await this.#posts.page(live, new Pagination({ ...place, limit: 3 }))
    return {
      posts: page.items.map(({ title, author, tags, comments, commentsCount }) => ({
        title,
        author: author.name,
        tags: tags.map(({ word }) => word),
        comments: comments.map(({ words, author: by }) => `${by.name}: ${words}`),
        commentsCount,
      })),
      next: page.pagination.next,
    }
  }

  /** How many posts each tag has, the biggest first. */
  async tagCloud(): Promise<readonly (readonly [word: string, posts: number])[]> {
    const used = this.#tags.select().has('posts').withCount('posts').order(Orders.Asc, 'word')
    const tags = await this.#tags.all(used)
    return tags
      .map(({ word, postsCount }) => [word, postsCount] as const)
      .toSorted(([, one], [, other]) => other - one)
  }

  /** What each author has written, for those with at least `min` posts. */
  async authorTable(min: number): Promise<readonly AuthorLine[]> {
    const byAuthor = this.#posts
      .select()
      .groupBy('authorId')
      .having(count(), Operators.GreaterOrEqual, min)
      .order(Orders.Asc, 'authorId')
    return this.#posts.aggregate(byAuthor, {
      posts: count(),
      views: sum('views'),
      newest: maximum('createdAt'),
    })
  }

  /** Changes a title that was read in some version. Returns false if somebody was quicker. */
  async rename(id: string, title: string, version: number): Promise<boolean> {
    try {
      return (await this.#posts.update(id, { title, version })) !== null
    } catch (error) {
      if (error instanceof StaleRowError) return false
      throw error
    }
  }

  async version(id: string): Promise<number | null> {
    const rows = await this.#posts.all(
      this.#posts.select().only('version').filter('id', Operators.Equal, id),
    )
    return rows[0]?.version ?? null
  }

  async bin(id: string): Promise<boolean> {
    return this.#posts.delete(id)
  }

  async restore(id: string): Promise<void> {
    await this.#posts.restore(id)
  }

  /** The titles in the bin. */
  async binned(): Promise<readonly string[]> {
    const rows = await this.#posts.all(this.#posts.select().onlyDeleted().only('title'))
    return rows.map(({ title }) => title)
  }

  async emptyBin(): Promise<void> {
    for (const { id } of await this.#posts.all(this.#posts.select().onlyDeleted().only('id'))) {
      await this.#posts.deleteForever(id)
    }
  }
}

/** A post as the front page shows it. */
export interface ShownPost {
  readonly title: string
  readonly author: string
  readonly tags: readonly string[]
  readonly comments: readonly string[]
  readonly commentsCount: number
}

/** A page of the blog. */
export interface FrontPage {
  readonly posts: readonly ShownPost[]
  readonly next: string | null
}

/** A line of the table of authors. */
export interface AuthorLine {
  readonly authorId: number
  readonly posts: number
  readonly views: number | null
  readonly newest: Date | null
}
