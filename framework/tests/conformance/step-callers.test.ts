import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Steps } from '../../src/activity/steps.ts'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import { pendingOperation } from '../../src/database/operation.ts'
import type { Result } from '../../src/database/operation.ts'
import { withQueryLog } from '../../src/database/query-log.ts'

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

test('nobody has to keep a stack to find who waits for a slow or failed statement', async (t) => {
  const seen: string[] = []
  const stop = Steps.Instance.watch({
    ended({ caller, failure }) {
      seen.push(`${failure ?? 'done'} ${caller?.file.split('/').at(-1)} ${caller?.call}`)
    },
  })
  t.after(stop)
  // Answered from a callback without our frames, like the one of a socket.
  const send = withQueryLog((query) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const failure = new DatabaseError('E_STATEMENT', 'as planned')
    if (query.sql === 'SELECT 1') setImmediate(resolve, { rows: [], affected: 0 })
    else setImmediate(reject, failure)
    return pendingOperation(query, promise)
  }, null)
  await waits()
  await assert.rejects(waitsInVain)
  await Promise.all([waits(), waits()])
  assert.deepEqual(seen, [
    'done step-callers.test.ts waits',
    'E_STATEMENT step-callers.test.ts waitsInVain',
    'done step-callers.test.ts waits',
    'done step-callers.test.ts waits',
  ])

  async function waits(): Promise<void> {
    await send({ sql: 'SELECT 1', parameters: [] }).settled()
  }
  async function waitsInVain(): Promise<void> {
    await send({ sql: 'SELECT 2', parameters: [] })
      .settled()
      .catch((error: unknown) => Promise.reject(error))
  }
})
