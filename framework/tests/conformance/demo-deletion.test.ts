import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { preparedDatabase } from '../support/demo-tests.ts'
import { connect } from '../../src/database/connect.ts'

/** Tables that `Credentials` and `AccountDeletion` delete from by themselves. */
const known = ['account_deletions', 'tokens', 'trusts']

test('every table of the demo with the id of an account is emptied of it when the account goes', async (t) => {
  const database = await connect(await preparedDatabase(t))
  t.after(() => database.close())
  const query = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
  const tables = (await database.rows({ sql: query, parameters: [] }))
    .filter((table) => String(table['sql']).includes('user_id'))
    .map((table) => String(table['name']))
  const source = join(import.meta.dirname, '../../src/accounts/module/account-data.ts')
  const [list = ''] = /const tables = \[.*?\n {2}\]/s.exec(readFileSync(source, 'utf8')) ?? []
  const deleted = [...known, ...Array.from(list.matchAll(/'(\w+)'/g), ([, table = '']) => table)]
  assert.deepEqual(tables.toSorted(), deleted.toSorted())
})
