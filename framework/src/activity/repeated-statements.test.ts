import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Activity, ActivityKinds } from './activity.ts'
import type { CallSite } from './caller.ts'
import { CurrentWork } from './current-work.ts'
import { StepKinds } from './step.ts'
import type { Step } from './step.ts'
import { countRepeats, repeatedStatements } from './repeated-statements.ts'

class Visit extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Request
  readonly id = 'r1'
  readonly title = 'GET /orders'
  readonly account = null
}

const caller: CallSite = { file: '/shop/orders.ts', line: 12, column: 3, call: 'list' }

function ended(changes: Partial<Step>, times = 1): void {
  for (let at = 0; at < times; at += 1) {
    countRepeats.ended({
      kind: StepKinds.Sql,
      name: 'SELECT',
      text: 'SELECT * FROM users WHERE id = ?',
      context: CurrentWork.context(),
      startMs: 0,
      durationMs: 2,
      count: 1,
      failure: null,
      caller,
      ...changes,
    })
  }
}

test('a statement counts as repeated from the given number on, by statement and line', () => {
  const activity = new Visit()
  CurrentWork.runActivity(activity, () => {
    ended({}, 4)
    ended({ caller: { ...caller, line: 13 } }, 3)
    ended({ text: 'SELECT * FROM tags WHERE id = ?' }, 5)
    ended({ text: "SELECT * FROM notes WHERE id = 'a'" }, 2)
    ended({ text: "SELECT * FROM notes WHERE id = 'b'" }, 2)
  })
  const shown = repeatedStatements(activity, 4).map(({ statement, count, durationMs }) => [
    statement,
    count,
    durationMs,
  ])
  assert.deepEqual(shown, [
    ['SELECT * FROM tags WHERE id = ?', 5, 10],
    ['SELECT * FROM users WHERE id = ?', 4, 8],
    ['SELECT * FROM notes WHERE id = ?', 4, 8],
  ])
  assert.deepEqual(repeatedStatements(new Visit(), 1), [])
})

test('later parts of one call, transactions, other steps and statements without a line do not count', () => {
  const activity = new Visit()
  CurrentWork.runActivity(activity, () => {
    CurrentWork.runContinuation(() => ended({}, 9))
    ended({ name: 'OTHER', text: 'BEGIN' }, 9)
    ended({ kind: StepKinds.Redis, name: 'GET', text: '' }, 9)
    ended({ caller: null }, 9)
  })
  ended({}, 9)
  assert.deepEqual(repeatedStatements(activity, 1), [])
})

test('the statements of an activity that are remembered are bounded', () => {
  const activity = new Visit()
  CurrentWork.runActivity(activity, () => {
    for (let at = 0; at < 2_000; at += 1) ended({ text: `SELECT * FROM table_${at}` })
  })
  assert.equal(repeatedStatements(activity, 1).length, 500)
})
