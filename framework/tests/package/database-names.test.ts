import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findDatabaseNames } from './database-names.ts'
import { plantTree } from './planted-tree.ts'

const src = join(import.meta.dirname, '..', '..', 'src')

test('only dialects and drivers name a database or check which one it is', () => {
  assert.deepEqual(findDatabaseNames(src), [])
})

for (const [line, said] of [
  [`if (kind === 'sqlite') go()`, 'names sqlite'],
  [`import { sqlite as mine } from './dialects.ts'`, 'names sqlite'],
  ['if (Kinds.MariaDB) go()', 'names MariaDB'],
  ['const answers = { postgres: 1 }', 'names postgres'],
  ['function isMysql() {}', 'names Mysql'],
  ['const url = `sqlite:${file}`', 'names sqlite'],
  ['const url = `${scheme}+postgres:${file}`', 'names postgres'],
  ['const words = `on MariaDB only`', 'names MariaDB'],
  ['class A { #sqlite = 1 }', 'names sqlite'],
  [`import { open } from './open-mariadb.ts'`, 'names mariadb'],
  [`type Answers = Record<Dialects, string>`, 'takes the list of databases'],
  [`import { Dialects as Kinds } from './dialect.ts'`, 'takes the list of databases'],
  ['answers[dialect.name]()', 'reads the name of the dialect'],
  ['answers[surface.dialect.name]()', 'reads the name of the dialect'],
  ['answers[this.#dialect.name]()', 'reads the name of the dialect'],
  [`answers[dialect['name']]()`, 'reads the name of the dialect'],
  ['const { name } = surface.dialect', 'reads the name of the dialect'],
  ['const { quote, name: which } = dialect', 'reads the name of the dialect'],
  ['const { dialect: { name } } = surface', 'reads the name of the dialect'],
  ['function write({ name }: Dialect) {}', 'reads the name of the dialect'],
] as const) {
  test(`it is found in: ${line}`, (t) => {
    const folder = plantTree(t, { 'app/a.ts': line })
    assert.deepEqual(findDatabaseNames(folder, {}), [
      `app/a.ts:1 ${said}: let the dialect say what differs`,
    ])
  })
}

test('a branch and a table by dialect are each found twice', (t) => {
  const folder = plantTree(t, {
    'web/a.ts': 'export const isOdd = dialect.name === Dialects.MariaDB',
    'database/sql/write/a.ts': `const a: Record<Dialects, string> = { sqlite: '' }`,
  })
  const end = 'let the dialect say what differs'
  assert.deepEqual(findDatabaseNames(folder, {}), [
    `database/sql/write/a.ts:1 takes the list of databases: ${end}`,
    `database/sql/write/a.ts:1 names sqlite: ${end}`,
    `web/a.ts:1 reads the name of the dialect: ${end}`,
    `web/a.ts:1 takes the list of databases: ${end}`,
    `web/a.ts:1 names MariaDB: ${end}`,
  ])
})

test('dialects, drivers, unit tests, comments and other names are allowed', (t) => {
  const branch = `if (dialect.name === 'sqlite') go()`
  const folder = plantTree(t, {
    'database/sql/dialects/a.ts': branch,
    'database/sqlite/a.ts': branch,
    'database/drivers.ts': branch,
    'app/a.test.ts': branch,
    'app/a.ts': [
      '// On SQLite it is one.',
      '/** Dialects such as sqlite. */',
      'export const { name } = column',
      'export const write = ({ name }: Column, dialect: Dialect) => dialect.quote(name)',
      'export const { quote } = surface.dialect',
    ].join('\n'),
  })
  assert.deepEqual(findDatabaseNames(folder, {}), [])
})

test('an exception that is no longer needed is found', (t) => {
  const folder = plantTree(t, {
    'app/a.ts': `export const url = 'sqlite:'`,
    'app/b.ts': 'export const url = null',
  })
  assert.deepEqual(findDatabaseNames(folder, { 'app/a.ts': 'why', 'app/b.ts': 'why' }), [
    'app/b.ts names no database: it is no exception',
  ])
})
