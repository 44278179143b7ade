import { connect } from '../../../src/database/connect.ts'
import type { Database } from '../../../src/database/surface.ts'
import * as column from '../../../src/orm/entity/column.ts'
import type { Column } from '../../../src/orm/entity/column.ts'
import { entity } from '../../../src/orm/entity/entity.ts'
import type { Entity } from '../../../src/orm/entity/entity.ts'
import { belongsTo, hasMany, hasOne, manyToMany } from '../../../src/orm/relations/relation.ts'
import type { Relation } from '../../../src/orm/relations/relation.ts'
import { Repository } from '../../../src/orm/repository.ts'
import type { CreateDatabase } from '../../support/test-databases.ts'
import { SentStatements } from '../sent-statements.ts'

const { bigint, boolean, decimal, float, integer, key, text } = column

type Plain<T> = Column<T, false, false>
type Nullable<T> = Column<T | null, true, false>
type IntegerKey = Column<number, true, true>

interface UserShape {
  readonly id: IntegerKey
  readonly name: Plain<string>
  readonly posts: Relation<Entity<PostShape>, 'has-many', 'authorId', false>
  readonly profile: Relation<Entity<ProfileShape>, 'has-one', 'userId', true>
  readonly boss: Relation<Entity<UserShape>, 'belongs-to', null, true>
}

interface ProfileShape {
  readonly id: Column<string, false, true>
  readonly city: Plain<string>
  readonly user: Relation<Entity<UserShape>, 'belongs-to', null, false>
}

interface TagShape {
  readonly id: IntegerKey
  readonly word: Plain<string>
  readonly posts: Relation<Entity<PostShape>, 'many-to-many', null, false>
}

interface PostShape {
  readonly id: IntegerKey
  readonly title: Plain<string>
  readonly isOpen: Plain<boolean>
  readonly views: Plain<number>
  readonly price: Plain<string>
  readonly size: Plain<bigint>
  readonly rating: Nullable<number>
  readonly note: Nullable<string>
  readonly author: Relation<Entity<UserShape>, 'belongs-to', null, false>
  readonly editor: Relation<Entity<UserShape>, 'belongs-to', null, true>
  readonly comments: Relation<Entity<CommentShape>, 'has-many', 'postId', false>
  readonly tags: Relation<Entity<TagShape>, 'many-to-many', null, false>
}

interface CommentShape {
  readonly id: IntegerKey
  readonly body: Plain<string>
  readonly likes: Plain<number>
  readonly post: Relation<Entity<PostShape>, 'belongs-to', null, false>
  readonly author: Relation<Entity<UserShape>, 'belongs-to', null, true>
}

export const Users: Entity<UserShape> = entity('users', {
  id: key.integer(),
  name: text(),
  get posts() {
    return hasMany(() => Posts, 'authorId')
  },
  get profile() {
    return hasOne(() => Profiles, 'userId')
  },
  get boss() {
    return belongsTo(() => Users).nullable()
  },
})
export const Profiles: Entity<ProfileShape> = entity('profiles', {
  id: key.text(),
  city: text(),
  user: belongsTo(() => Users),
})
export const Tags: Entity<TagShape> = entity('tags', {
  id: key.integer(),
  word: text(),
  get posts() {
    return manyToMany(() => Posts, {
      through: 'post_tags',
      source: 'tag_id',
      target: 'post_id',
    })
  },
})
export const Posts: Entity<PostShape> = entity('posts', {
  id: key.integer(),
  title: text(),
  isOpen: boolean(),
  views: integer(),
  price: decimal({ precision: 10, scale: 2 }),
  size: bigint(),
  rating: float().nullable(),
  note: text().nullable(),
  author: belongsTo(() => Users),
  editor: belongsTo(() => Users).nullable(),
  get comments() {
    return hasMany(() => Comments, 'postId')
  },
  tags: manyToMany(() => Tags, { through: 'post_tags', source: 'post_id', target: 'tag_id' }),
})
export const Comments: Entity<CommentShape> = entity('comments', {
  id: key.integer(),
  body: text(),
  likes: integer(),
  post: belongsTo(() => Posts),
  author: belongsTo(() => Users).nullable(),
})

/** A blog on a database of its own, and what went to it. */
export interface Blog {
  readonly database: Database
  readonly sent: SentStatements
  readonly users: Repository<typeof Users>
  readonly posts: Repository<typeof Posts>
  readonly tags: Repository<typeof Tags>
  readonly comments: Repository<typeof Comments>
}

// The join table has an id and a word of its own: names that the tables on both sides have too.
const schema = (dialect: string): readonly string[] => [
  'CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(50) NOT NULL, boss_id INTEGER)',
  'CREATE TABLE profiles (id VARCHAR(50) PRIMARY KEY, city VARCHAR(50) NOT NULL, user_id INTEGER NOT NULL)',
  'CREATE TABLE tags (id INTEGER PRIMARY KEY, word VARCHAR(50) NOT NULL)',
  `CREATE TABLE posts (id INTEGER PRIMARY KEY, title VARCHAR(50) NOT NULL, is_open ${dialect === 'sqlite' ? 'INTEGER' : 'BOOLEAN'} NOT NULL, views INTEGER NOT NULL, price DECIMAL(10,2) NOT NULL, size BIGINT NOT NULL, rating DOUBLE PRECISION, note VARCHAR(50), author_id INTEGER NOT NULL, editor_id INTEGER)`,
  'CREATE TABLE comments (id INTEGER PRIMARY KEY, body VARCHAR(50) NOT NULL, likes INTEGER NOT NULL, post_id INTEGER NOT NULL, author_id INTEGER)',
  'CREATE TABLE post_tags (id INTEGER PRIMARY KEY, word VARCHAR(50), post_id INTEGER NOT NULL, tag_id INTEGER NOT NULL)',
  `INSERT INTO users VALUES (1, 'Ada', NULL), (2, 'Ben', 1), (3, 'Cy', 2)`,
  `INSERT INTO profiles VALUES ('b', 'Oslo', 2)`,
  `INSERT INTO tags VALUES (1, 'ink'), (2, 'sea'), (3, 'tea')`,
  `INSERT INTO posts VALUES
    (1, 'One', TRUE, 10, 0.10, 9007199254740993, 1.5, NULL, 1, NULL),
    (2, 'Two', TRUE, 20, 0.20, 9007199254740993, NULL, 'x', 1, 2),
    (3, 'Three', FALSE, 30, 12345678.33, 1, 2.25, 'x', 2, 1),
    (4, 'Four', TRUE, 40, 0.30, 2, 0.25, NULL, 2, NULL)`,
  `INSERT INTO comments VALUES
    (1, 'a', 5, 1, 1), (2, 'b', 3, 1, 2), (3, 'c', 9, 1, NULL), (4, 'd', 9, 1, 3),
    (5, 'e', 1, 2, 1), (6, 'f', 2, 2, 2), (7, 'g', 0, 4, 3)`,
  `INSERT INTO post_tags VALUES (1, 'p', 1, 3), (2, 'q', 1, 1), (3, 'r', 2, 3), (4, 's', 4, 2), (5, 't', 4, 1), (6, 'u', 4, 3)`,
]

/** Three people, four posts, seven comments, three tags. */
export async function openBlog(create: CreateDatabase): Promise<Blog> {
  const sent = new SentStatements()
  const database = await connect(await create(), sent)
  for (const sql of schema(database.dialect.name)) await database.run({ sql, parameters: [] })
  return {
    database,
    sent,
    users: new Repository(Users, database),
    posts: new Repository(Posts, database),
    tags: new Repository(Tags, database),
    comments: new Repository(Comments, database),
  }
}
