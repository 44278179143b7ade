import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dialects } from '../../../../tests/support/dialects.ts'
import { fixedSql, sql, Statement, Slot, StatementTemplate } from './statement.ts'

test('values of a statement become parameters, numbered where the database does', () => {
  const statement = sql`select * from posts where id = ${1} and title = ${"'; --"}`
  assert.deepEqual(statement.compile(dialects.postgres), {
    sql: 'select * from posts where id = $1 and title = $2',
    parameters: [1, "'; --"],
  })
  assert.deepEqual(statement.compile(dialects.mariadb), {
    sql: 'select * from posts where id = ? and title = ?',
    parameters: [1, "'; --"],
  })
})

test('a nested statement is part of the outer one, with continuous numbering', () => {
  const inner = sql`views > ${10} or ${sql`title = ${'x'}`}`
  assert.deepEqual(sql`select ${0} where (${inner}) and id < ${5}`.compile(dialects.postgres), {
    sql: 'select $1 where (views > $2 or title = $3) and id < $4',
    parameters: [0, 10, 'x', 5],
  })
})

test('what stands in a place of a template decides on its text each time, on each database', () => {
  const find = (place: unknown): readonly unknown[] =>
    [dialects.sqlite, dialects.postgres].map(
      (dialect) => sql`select ${place} where id = ${5}`.compile(dialect).sql,
    )
  const bound = ['select ? where id = ?', 'select $1 where id = $2']
  const named = ['select "a"."b" where id = ?', 'select "a"."b" where id = $1']
  const nested = ['select a + ? + ? where id = ?', 'select a + $1 + $2 where id = $3']
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual(find('a'), bound)
    assert.deepEqual(find(null), bound)
    assert.deepEqual(find(sql.name('a', 'b')), named)
    assert.deepEqual(find(sql`a + ${1} + ${2}`), nested)
    assert.deepEqual(find(fixedSql('now()'))[0], 'select now() where id = ?')
    assert.deepEqual(find(fixedSql('a'))[0], 'select a where id = ?')
    assert.deepEqual(find(sql.name('a'))[0], 'select "a" where id = ?')
    assert.deepEqual(find(sql.list([1]))[0], 'select ? where id = ?')
    assert.deepEqual(find(sql.list([1, 2]))[0], 'select ?, ? where id = ?')
    assert.throws(() => find(sql.name('a\0","b')), { code: 'E_IDENTIFIER' })
  }
})

describe('sql.name', () => {
  test('is a quoted identifier of one or more parts', () => {
    const statement = sql`select ${sql.name('id')} from ${sql.name('blog', 'po"sts`')}`
    assert.equal(statement.compile(dialects.sqlite).sql, 'select "id" from "blog"."po""sts`"')
    assert.equal(statement.compile(dialects.mariadb).sql, 'select `id` from `blog`.`po"sts```')
    assert.deepEqual(statement.compile(dialects.sqlite).parameters, [])
  })

  test('rejects an invalid identifier when the statement is compiled', () => {
    const refusal = { name: 'InvalidArgumentException', code: 'E_IDENTIFIER' }
    assert.throws(() => sql`select ${sql.name('')}`.compile(dialects.sqlite), refusal)
    assert.throws(() => sql`select ${sql.name('a\0')}`.compile(dialects.sqlite), refusal)
  })
})

describe('sql.list', () => {
  test('binds each value, comma-separated', () => {
    assert.deepEqual(sql`id in (${sql.list([1, 2, 3])})`.compile(dialects.postgres), {
      sql: 'id in ($1, $2, $3)',
      parameters: [1, 2, 3],
    })
  })

  test('accepts names as well', () => {
    const names = [sql.name('id'), sql.name('title')]
    assert.equal(
      sql`select ${sql.list(names)} from posts`.compile(dialects.sqlite).sql,
      'select "id", "title" from posts',
    )
  })

  test('rejects an empty list, which is invalid SQL', () => {
    assert.throws(() => sql.list([]), {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
    })
  })
})

test('undefined is rejected when the statement is written', () => {
  assert.throws(() => sql`select ${undefined}`, {
    name: 'InvalidArgumentException',
    code: 'E_INVALID_ARGUMENT',
    message: /use null/,
  })
})

test('null, and an object that only looks like a statement, are bound and never become text', () => {
  const forged = { strings: ['1; DROP TABLE posts'], values: [] }
  const query = sql`select ${null}, ${forged}`.compile(dialects.sqlite)
  assert.equal(query.sql, 'select ?, ?')
  assert.deepEqual(query.parameters, [null, forged])
  assert.ok(sql`` instanceof Statement)
})

test('a template binds a value wherever its slot stands', () => {
  const [name, now] = [new Slot('name'), new Slot('now')]
  const statement = sql`UPDATE notes SET used = ${now} WHERE name = ${name} AND ends > ${now}`
  const template = new StatementTemplate(statement, dialects.postgres, { raw: true })
  const query = template.query({ name: 'tea', now: 7 })
  assert.deepEqual(query, {
    sql: 'UPDATE notes SET used = $1 WHERE name = $2 AND ends > $3',
    parameters: [7, 'tea', 7],
    raw: true,
  })
  assert.equal(template.query({ name: 'milk', now: 8 }).sql, query.sql)
})

test('a value that is no slot is refused when the template is made', () => {
  assert.throws(() => new StatementTemplate(sql`SELECT ${1}`, dialects.sqlite), {
    code: 'E_INVALID_ARGUMENT',
  })
})
