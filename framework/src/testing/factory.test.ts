import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../database/connect.ts'
import { key, text } from '../orm/entity/column.ts'
import { entity } from '../orm/entity/entity.ts'
import { belongsTo } from '../orm/relations/relation.ts'
import { Repository } from '../orm/repository.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { factory } from './factory.ts'

const Users = entity('users', { id: key.integer(), name: text() })
const Notes = entity('notes', { id: key.integer(), title: text(), owner: belongsTo(() => Users) })

async function open(t: TestContext) {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.run(sql`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)`)
  await database.run(sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, owner_id INTEGER)`)
  const users = factory(new Repository(Users, database), (n) => ({ name: `user ${n}` }))
  const notes = factory(new Repository(Notes, database), async (n) => ({
    title: `note ${n}`,
    ownerId: (await users.one()).id,
  }))
  return { users, notes }
}

test('it inserts as many rows as wanted, each with values of its own', async (t) => {
  const { users } = await open(t)
  const made = await users.create(3)
  assert.deepEqual(
    made.map(({ name }) => name),
    ['user 1', 'user 2', 'user 3'],
  )
  assert.deepEqual(await users.create(0), [])
})

test('a test names the values it cares about, and rows bring those they refer to', async (t) => {
  const { notes } = await open(t)
  const { ownerId, title } = await notes.one({ title: 'Milk' })
  assert.deepEqual([ownerId, title], [1, 'Milk'])
  const [first, second] = await notes.create(2, { ownerId: 7 })
  assert.deepEqual([first?.title, first?.ownerId], ['note 2', 7])
  assert.deepEqual([second?.title, second?.ownerId], ['note 3', 7])
})
