import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Migrator } from '../../../src/migrations/migrator.ts'
import { Dialects } from '../../../src/database/sql/dialects/dialect.ts'
import { sql } from '../../../src/database/sql/plan/statement.ts'
import { onDatabase, onEveryDatabase } from '../../support/test-databases.ts'
import { plantMigrations as plant } from '../plant-migrations.ts'
import { change, codeOf, counts, migrated, tables } from './posts-migrations.ts'

onEveryDatabase((dialect, open) => {
  const isSqlite = dialect === Dialects.SQLite

  test('a column changes type, nullability and default, back and forth, and nothing is lost', async (t) => {
    const database = await open(t)
    const migrator = await migrated(
      t,
      database,
      change(
        `await schema.changeColumn('posts', (table) => table.integer('views').nullable())
         await schema.changeColumn('posts', (table) => table.text('title', { length: 40 }).nullable())
         await schema.changeColumn('posts', (table) => table.text('price', { length: 12 }).default('free'))`,
        `await schema.changeColumn('posts', (table) => table.text('views', { length: 20 }).nullable())
         await schema.run(sql\`UPDATE posts SET title = \${'none'} WHERE title IS NULL\`)
         await schema.changeColumn('posts', (table) => table.text('title', { length: 20 }).default('untitled'))
         await schema.run(sql\`UPDATE posts SET price = \${'0'} WHERE price = \${'free'}\`)
         await schema.changeColumn('posts', (table) => table.decimal('price', { precision: 8, scale: 2 }).default('1.50'))`,
      ),
    )
    assert.deepEqual(await counts(database), [2, 2, 3])
    const rows = await database.rows(sql`SELECT id, title, views, price FROM posts ORDER BY id`)
    assert.deepEqual(
      rows.map(({ id, title, views, price }) => [
        Number(id),
        title,
        views === null ? null : Number(views),
        price,
      ]),
      [
        [1, 'One', 7, '1.50'],
        [2, 'Two', null, '1.50'],
      ],
    )
    await database.run(sql`INSERT INTO posts (author_id) VALUES (1)`)
    const [fresh] = await database.rows(sql`SELECT id, title, price FROM posts WHERE title IS NULL`)
    assert.deepEqual(
      [Number(fresh?.['id']), fresh?.['price']],
      [4, 'free'],
      'the id of a deleted row is not given again',
    )
    assert.equal(
      await codeOf(database, sql`INSERT INTO posts (author_id) VALUES (99)`),
      'E_FOREIGN_KEY',
    )
    await migrator.down()
    assert.deepEqual(await counts(database), [2, 3, 3])
    const [first] = await database.rows(sql`SELECT title, views, price FROM posts WHERE id = 1`)
    assert.deepEqual(
      [first?.['title'], first?.['views'], Number(first?.['price'])],
      ['One', '7', 1.5],
    )
    await database.run(sql`DELETE FROM users WHERE id = 1`)
    assert.deepEqual(await counts(database), [1, 1, 1], 'the foreign keys still cascade')
  })

  test('a change that does not fit the rows is an error and changes nothing', async (t) => {
    const database = await open(t)
    const broken: readonly (readonly [string, RegExp])[] = [
      [`table.text('views', { length: 20 })`, /posts\.views: 1 row is NULL; fill them first/],
      [`table.text('title', { length: 2 })`, /posts\.title: 2 rows have values that .* text \(2\)/],
      [`table.integer('title')`, /posts\.title: 2 rows have values that .* integer; change them/],
      [`table.bigint('title')`, /posts\.title: 2 rows have values that .* bigint/],
      [
        `table.decimal('title', { precision: 8, scale: 2 })`,
        /title: 2 rows have .* decimal \(8, 2\)/,
      ],
      [`table.boolean('title')`, /title: 2 rows have values that .* boolean/],
      [`table.date('title')`, /title: 2 rows have values that .* date/],
      [`table.time('title')`, /title: 2 rows have values that .* time/],
      [`table.timestamp('title')`, /title: 2 rows have values that .* timestamp/],
      [`table.uuid('title')`, /title: 2 rows have values that .* uuid/],
      // MariaDB has no index on a document, as title has.
      ...(dialect === Dialects.MariaDB
        ? []
        : [[`table.json('title')`, /title: 2 rows have values that .* json/] as const]),
      [
        `table.enumeration('title', ['One', 'Six'])`,
        /title: 1 row has a value that .* enumeration/,
      ],
      [
        `table.integer('price')`,
        /posts\.price: 2 rows have more digits after the point than integer keeps/,
      ],
      [
        `table.decimal('price', { precision: 8, scale: 0 })`,
        /2 rows have more digits after the point than decimal \(8, 0\) keeps; round them first/,
      ],
      [`table.float('title')`, /title: 2 rows have values that do not fit float/],
      [`table.text('title').unique()`, /for the rest use createIndex or dropIndex/],
      [
        `table.references('author_id', 'users')`,
        /for the rest use addForeignKey or dropForeignKey/,
      ],
    ]
    const migrator = await migrated(t, database)
    assert.equal((await migrator.up()).length, 0)
    for (const [column, message] of broken) {
      const folder = plant(t, {
        '20260101000000_step_0.ts': tables,
        '20260101000001_bad.ts': change(`await schema.changeColumn('posts', (table) => ${column})`),
      })
      await assert.rejects(new Migrator(database, folder).up(), message, column)
      assert.deepEqual(await counts(database), [2, 2, 3])
    }
    const rows = await database.rows(sql`SELECT title, views FROM posts ORDER BY id`)
    assert.deepEqual(
      rows.map(({ title, views }) => [title, views]),
      [
        ['One', '7'],
        ['Two', null],
      ],
    )
  })

  test('foreign keys are added, with an index, and dropped', async (t) => {
    const database = await open(t)
    const migrator = await migrated(
      t,
      database,
      change(
        `await schema.dropForeignKey('posts', 'author_id')
         await schema.addColumn('posts', (table) => table.bigint('editor_id').nullable())
         await schema.addForeignKey('posts', 'editor_id', 'users', { onDelete: 'set null' })`,
        `await schema.dropForeignKey('posts', 'editor_id')
         await schema.dropColumn('posts', 'editor_id')
         await schema.addForeignKey('posts', 'author_id', 'users', { onDelete: 'cascade' })`,
      ),
    )
    await database.run(sql`UPDATE posts SET editor_id = 2 WHERE id = 1`)
    assert.equal(
      await codeOf(database, sql`UPDATE posts SET editor_id = 99 WHERE id = 1`),
      'E_FOREIGN_KEY',
    )
    await database.run(sql`DELETE FROM users WHERE id = 2`)
    assert.deepEqual(await counts(database), [1, 2, 3], 'author_id is a plain column')
    const [post] = await database.rows(sql`SELECT editor_id FROM posts WHERE id = 1`)
    assert.equal(post?.['editor_id'], null)
    await assert.rejects(migrator.down(), /failed while migrating down/, 'a row refers to nothing')
    assert.deepEqual(await counts(database), [1, 2, 3])
  })

  test('a foreign key column is dropped, with its index and key', async (t) => {
    const database = await open(t)
    await migrated(
      t,
      database,
      change(
        `await schema.dropColumn('notes', 'post_id'); await schema.dropColumn('posts', 'author_id')`,
      ),
    )
    assert.deepEqual(await counts(database), [2, 2, 3])
    await database.run(sql`DELETE FROM users`)
    await database.run(sql`DELETE FROM posts`)
    assert.deepEqual(await counts(database), [0, 0, 3])
  })

  test('later migrations of a run follow one that had to run without foreign keys, in one batch', async (t) => {
    const database = await open(t)
    const migrator = await migrated(
      t,
      database,
      change(
        `await schema.changeColumn('posts', (table) => table.integer('views').nullable())`,
        `await schema.changeColumn('posts', (table) => table.text('views', { length: 20 }).nullable())`,
      ),
      change(
        `await schema.renameColumn('posts', 'views', 'hits')`,
        `await schema.renameColumn('posts', 'hits', 'views')`,
      ),
      change(
        `await schema.changeColumn('posts', (table) => table.bigint('hits').nullable())`,
        `await schema.changeColumn('posts', (table) => table.integer('hits').nullable())`,
      ),
    )
    assert.deepEqual(
      (await migrator.status()).map(({ state, batch }) => `${state} ${batch}`),
      ['applied 1', 'applied 2', 'applied 2', 'applied 2'],
    )
    assert.deepEqual(
      (await migrator.down()).map(({ name }) => name.slice(-1)),
      ['3', '2', '1'],
    )
    assert.deepEqual(await counts(database), [2, 2, 3])
  })

  if (isSqlite) {
    test('a rebuild keeps triggers, views, checks, partial indexes and comments', async (t) => {
      const database = await open(t)
      await database.run({
        sql: `CREATE TABLE odd ("a b" INTEGER PRIMARY KEY AUTOINCREMENT, -- the key, (really)
          n TEXT /* , */ DEFAULT 'x,(y' , m INTEGER NOT NULL CHECK (m > 0), half REAL GENERATED ALWAYS AS (m / 2.0),
          other INTEGER REFERENCES odd ("a b") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          CONSTRAINT "pair, of" UNIQUE (n, m))`,
        parameters: [],
      })
      for (const text of [
        `CREATE INDEX some ON odd (m) WHERE n IS NOT NULL`,
        `CREATE VIEW shown AS SELECT n, m FROM odd`,
        `CREATE TABLE log (m INTEGER)`,
        `CREATE TRIGGER written AFTER INSERT ON odd BEGIN INSERT INTO log VALUES (new.m); END`,
        `INSERT INTO odd (n, m) VALUES ('one', 1), (NULL, 2)`,
        `DELETE FROM odd WHERE m = 2`,
      ])
        await database.run({ sql: text, parameters: [] })
      const folder = plant(t, {
        '20260101000000_odd.ts': change(
          `await schema.changeColumn('odd', (table) => table.text('n', { length: 9 }).nullable())`,
        ),
      })
      await new Migrator(database, folder).up()
      await database.run(sql`INSERT INTO odd (n, m) VALUES ('two', 4)`)
      assert.deepEqual(
        await database.rows(sql`SELECT "a b" AS id, n, m, half FROM odd ORDER BY 1`),
        [
          { id: 1, n: 'one', m: 1, half: 0.5 },
          { id: 3, n: 'two', m: 4, half: 2 },
        ],
      )
      assert.deepEqual(await database.rows(sql`SELECT m FROM log`), [{ m: 1 }, { m: 2 }, { m: 4 }])
      assert.equal((await database.rows(sql`SELECT * FROM shown`)).length, 2)
      assert.equal(await codeOf(database, sql`INSERT INTO odd (m) VALUES (0)`), 'E_CHECK')
      assert.equal(
        await codeOf(database, sql`INSERT INTO odd (n, m) VALUES ('two', 4)`),
        'E_DUPLICATE_KEY',
      )
      assert.equal(
        await codeOf(database, sql`INSERT INTO odd (m, other) VALUES (9, 99)`),
        'E_FOREIGN_KEY',
      )
      const names = await database.rows(
        sql`SELECT name FROM sqlite_schema WHERE name IN ('some', 'written', 'shown') ORDER BY 1`,
      )
      assert.deepEqual(
        names.map(({ name }) => name),
        ['shown', 'some', 'written'],
      )
    })

    test('a migration that leaves rows without their parent is rolled back', async (t) => {
      const database = await open(t)
      const migrator = await migrated(t, database)
      const folder = plant(t, {
        '20260101000000_step_0.ts': tables,
        '20260101000001_bad.ts': change(
          `await schema.changeColumn('posts', (table) => table.text('title', { length: 50 })); await schema.run(sql\`DELETE FROM users\`)`,
        ),
      })
      await assert.rejects(
        new Migrator(database, folder).up(),
        /rows would refer to nothing: 2 of posts, which refers to users/,
      )
      assert.deepEqual(await counts(database), [2, 2, 3])
      assert.equal((await migrator.up()).length, 0)
    })
  }
})

onDatabase(Dialects.Postgres, (_name, open) => {
  test('the rows of a foreign key are checked later', async (t) => {
    const database = await open(t)
    await migrated(
      t,
      database,
      change(
        `await schema.dropForeignKey('notes', 'post_id'); await schema.addForeignKey('notes', 'post_id', 'posts', { validate: false })`,
      ),
      change(`await schema.validateForeignKey('notes', 'post_id')`),
    )
    const [row] = await database.rows(
      sql`SELECT convalidated AS checked FROM pg_constraint WHERE conname = 'notes_post_id_foreign'`,
    )
    assert.equal(row?.['checked'], true)
  })
})
