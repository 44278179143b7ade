import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/surface.ts'
import { bigint, key, text } from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import { Pagination } from '../../src/orm/pagination/pagination.ts'
import { belongsTo, hasMany, hasOne, manyToMany } from '../../src/orm/relations/relation.ts'
import { Repository } from '../../src/orm/repository.ts'
import { Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { SentStatements, verbs } from './sent-statements.ts'

const Authors = entity('authors', {
  id: key.bigint(),
  name: text(),
  get books() {
    return hasMany(() => Books, 'authorId')
  },
  get home() {
    return hasOne(() => Homes, 'owner')
  },
})
const Homes = entity('homes', { id: key.text(), owner: bigint('owner_id'), street: text() })
const Shelves = entity('shelves', {
  id: key.integer(),
  get parent() {
    return belongsTo(() => Shelves).nullable()
  },
})
const Words = entity('words', {
  id: key.text(),
  get books() {
    return manyToMany(() => Books, bridge('word', 'book'))
  },
})
const Books = entity('books', {
  id: key.bigint(),
  title: text(),
  author: belongsTo(() => Authors),
  shelf: belongsTo(() => Shelves).nullable(),
  words: manyToMany(() => Words, bridge('book', 'word')),
})

function bridge(source: string, target: string) {
  return { through: 'book words', source: `${source} id`, target: `${target} id` }
}

// Two keys that are one number to whoever reads 64 bits as a double.
const ada = 9_007_199_254_740_992n
const ben = 9_007_199_254_740_993n

onEveryDatabase((_, _open, create) => {
  let database: Database
  const sent = new SentStatements()
  let books: Repository<typeof Books>
  let authors: Repository<typeof Authors>

  before(async () => {
    database = await connect(await create(), sent)
    const { quote } = database.dialect
    const tables = [
      'CREATE TABLE authors (id BIGINT PRIMARY KEY, name VARCHAR(50))',
      'CREATE TABLE homes (id VARCHAR(50) PRIMARY KEY, owner_id BIGINT, street VARCHAR(50))',
      'CREATE TABLE shelves (id INTEGER PRIMARY KEY, parent_id INTEGER)',
      'CREATE TABLE words (id VARCHAR(50) PRIMARY KEY)',
      'CREATE TABLE books (id BIGINT PRIMARY KEY, title VARCHAR(50), author_id BIGINT, shelf_id INTEGER)',
      `CREATE TABLE ${quote('book words')} (${quote('book id')} BIGINT, ${quote('word id')} VARCHAR(50))`,
      `INSERT INTO authors VALUES (${ben}, 'Ben'), (${ada}, 'Ada'), (3, 'Cy')`,
      `INSERT INTO homes VALUES ('b', ${ada}, 'Elm'), ('c', ${ben}, 'Oak')`,
      'INSERT INTO shelves VALUES (1, NULL), (2, 1)',
      `INSERT INTO words VALUES ('sea'), ('it''s'), ('ink')`,
      `INSERT INTO books VALUES (5, 'Five', ${ben}, 2), (1, 'One', ${ada}, NULL), (4, 'Four', ${ben}, 1), (9, 'Nine', 404, 1)`,
      `INSERT INTO ${quote('book words')} VALUES (5, 'sea'), (5, 'it''s'), (4, 'sea'), (1, 'ink')`,
    ]
    for (const sql of tables) await database.run({ sql, parameters: [] })
    books = new Repository(Books, database)
    authors = new Repository(Authors, database)
  })
  after(() => database.close())

  const good = () => books.select().filter('id', Operators.Less, 9n).order(Orders.Asc, 'id')

  test('every relation finds its rows, by keys that differ only in the 64th bit', async () => {
    const rows = await books.all(good().with('author', 'shelf', 'words'))
    const words = (...ids: string[]) => ids.map((id) => ({ id }))
    assert.deepEqual(rows, [
      {
        id: 1n,
        title: 'One',
        authorId: ada,
        shelfId: null,
        author: { id: ada, name: 'Ada' },
        shelf: null,
        words: words('ink'),
      },
      {
        id: 4n,
        title: 'Four',
        authorId: ben,
        shelfId: 1,
        author: { id: ben, name: 'Ben' },
        shelf: { id: 1, parentId: null },
        words: words('sea'),
      },
      {
        id: 5n,
        title: 'Five',
        authorId: ben,
        shelfId: 2,
        author: { id: ben, name: 'Ben' },
        shelf: { id: 2, parentId: 1 },
        words: words("it's", 'sea'),
      },
    ])
  })

  test('lists are ordered by key, and has-one returns a row or null', async () => {
    const rows = await authors.all(authors.select().order(Orders.Asc, 'name').with('books', 'home'))
    assert.deepEqual(
      rows.map((author) => [author.name, author.books.map((book) => book.id), author.home?.street]),
      [
        ['Ada', [1n], 'Elm'],
        ['Ben', [4n, 5n], 'Oak'],
        ['Cy', [], undefined],
      ],
    )
  })

  test('many-to-many works from both sides', async () => {
    const words = new Repository(Words, database)
    const sea = await words.first(words.select().filter('id', Operators.Equal, 'sea').with('books'))
    assert.deepEqual(
      sea?.books.map((book) => book.title),
      ['Four', 'Five'],
    )
  })

  test('an entity may refer to itself', async () => {
    const shelves = new Repository(Shelves, database)
    const rows = await shelves.all(shelves.select().order(Orders.Asc, 'id').with('parent'))
    assert.deepEqual(
      rows.map((shelf) => shelf.parent?.id),
      [undefined, 1],
    )
  })

  test('rows with three relations are four queries, on a pool and in a transaction', async () => {
    const selection = good().with('author', 'shelf', 'words')
    assert.equal((await sent.during(() => books.all(selection))).length, 4)
    const inside = await sent.during(() =>
      database.transaction((transaction) => books.using(transaction).all(selection)),
    )
    assert.equal(verbs(inside).filter((verb) => verb === 'SELECT').length, 4)
  })

  test('a page loads the relations of its own rows, not of the probe row', async () => {
    const pagination = new Pagination({ mode: 'cursor', limit: 3 })
    const page = await books.page(books.select().order(Orders.Asc, 'id').with('author'), pagination)
    assert.equal(page.pagination.more, true)
    assert.deepEqual(
      page.items.map((book) => book.author.name),
      ['Ada', 'Ben', 'Ben'],
    )
  })

  test('a missing related row is an error that says which', async () => {
    await assert.rejects(books.all(books.select().with('author')), {
      code: 'E_RELATION',
      message: /^books\.author refers to authors 404, which does not exist/,
    })
  })

  test('thousands of rows are still one query per relation', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      id: BigInt(index + 100),
      title: `t${index}`,
      authorId: index % 2 === 0 ? ada : ben,
    }))
    await database
      .transaction(async (transaction) => {
        const inside = books.using(transaction)
        await inside.insertMany(many)
        const selection = inside.select().filter('id', Operators.GreaterOrEqual, 100n)
        const statementsSent = await sent.during(async () => {
          const rows = await inside.all(selection.with('author', 'words'))
          assert.equal(rows.length, 5_000)
          assert.ok(rows.every((row) => row.author.id === row.authorId && row.words.length === 0))
        })
        assert.equal(statementsSent.length, 3)
        throw new Error('undo')
      })
      .catch((error: unknown) => assert.equal(String(error), 'Error: undo'))
    assert.equal(await books.count(), 4)
  })
})
