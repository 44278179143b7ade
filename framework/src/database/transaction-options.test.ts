import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { DatabaseError } from './database-error.ts'
import { retryOnDeadlock } from './transaction-options.ts'

function failing(code: 'E_DEADLOCK' | 'E_STATEMENT', failures: number) {
  const work = {
    calls: 0,
    run: async (): Promise<string> => {
      work.calls += 1
      if (work.calls <= failures) throw new DatabaseError(code, 'lost')
      return 'done'
    },
  }
  return work
}

test('work that lost against another is done again, a few times, and no other failure is', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const lucky = failing('E_DEADLOCK', 4)
  assert.equal(await retryOnDeadlock(database, lucky.run), 'done')
  assert.equal(lucky.calls, 5)
  const unlucky = failing('E_DEADLOCK', 99)
  await assert.rejects(retryOnDeadlock(database, unlucky.run), { code: 'E_DEADLOCK' })
  assert.equal(unlucky.calls, 5)
  const wrong = failing('E_STATEMENT', 1)
  await assert.rejects(retryOnDeadlock(database, wrong.run), { code: 'E_STATEMENT' })
  assert.equal(wrong.calls, 1)
})

test('inside a transaction it is done once: the transaction itself is lost', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const work = failing('E_DEADLOCK', 1)
  await database.transaction(async (transaction) => {
    await assert.rejects(retryOnDeadlock(transaction, work.run), { code: 'E_DEADLOCK' })
  })
  assert.equal(work.calls, 1)
})
