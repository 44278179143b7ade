import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Steps } from '../../src/services/activity/steps.ts'
import { connect } from '../../src/data/database/connect.ts'

// In the folder of tests, because sources beside it count as the framework's own.
test('the caller of a statement is the line of the project that ran it', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const seen: string[] = []
  const stop = Steps.Instance.watch({
    wantsCallers: true,
    ended({ caller }) {
      seen.push(caller === null ? 'none' : `${caller.file.split('/').at(-1)} ${caller.call}`)
    },
  })
  t.after(stop)
  await function_of_a_project()
  await database.transaction(async function inTransaction(transaction) {
    await transaction.run({ sql: 'SELECT 2', parameters: [] })
  })
  assert.ok(seen.includes('step-callers.test.ts function_of_a_project'), seen.join('\n'))
  assert.ok(seen.includes('step-callers.test.ts inTransaction'), seen.join('\n'))

  async function function_of_a_project(): Promise<void> {
    await database.rows({ sql: 'SELECT 1', parameters: [] })
  }
})
