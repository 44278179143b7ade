import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Activity, ActivityKinds } from '../activity/activity.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { StepKinds } from '../activity/step.ts'
import type { Step } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { Logs } from './logs.ts'
import { SlowStatements } from './slow-statements.ts'

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Request
  readonly id = 'r1'
  readonly title = 'GET /orders'
  readonly account = null
}

interface Line {
  readonly message: string
  readonly context: Readonly<Record<string, unknown>>
}

function slow(t: TestContext): { watcher: SlowStatements; lines: () => Line[] } {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const written: string[] = []
  const sink = {
    dropped: 0,
    write: (line: string) => void written.push(line),
    flush: () => Promise.resolve(),
    flushSync: () => {},
    close: () => Promise.resolve(),
  }
  const logs = new Logs({ sinks: [sink] })
  const steps = new Steps()
  const watcher = new SlowStatements({ logs, ms: 200, root: '/shop', steps })
  t.after(() => watcher.close())
  return { watcher, lines: () => written.map((line): Line => JSON.parse(line)) }
}

function step(changes: Partial<Step> = {}): Step {
  return {
    kind: StepKinds.Sql,
    name: 'SELECT',
    text: "SELECT * FROM t WHERE a = ? AND b = 'secret'",
    context: CurrentWork.context(),
    startMs: 0,
    durationMs: 200,
    count: 12,
    failure: null,
    caller: { file: '/shop/app/orders.ts', line: 7, column: 3, call: 'list' },
    ...changes,
  }
}

test('a slow statement is a line without values, with its caller and its request', (t) => {
  const { watcher, lines } = slow(t)
  CurrentWork.runActivity(new Work(), () => watcher.ended(step()))
  watcher.ended(step({ durationMs: 199.9 }))
  watcher.ended(step({ kind: StepKinds.Redis }))
  watcher.ended(step({ durationMs: 5_000.4, caller: null, failure: 'E_STATEMENT_TIMEOUT' }))
  assert.equal(lines()[0]?.message, 'slow statement')
  assert.deepEqual(
    lines().map(({ context }) => context),
    [
      {
        statement: 'SELECT * FROM t WHERE a = ? AND b = ?',
        ms: 200,
        rows: 12,
        caller: 'app/orders.ts:7',
        request: 'r1',
        title: 'GET /orders',
      },
      {
        statement: 'SELECT * FROM t WHERE a = ? AND b = ?',
        ms: 5_000,
        rows: 12,
        caller: null,
        failure: 'E_STATEMENT_TIMEOUT',
      },
    ],
  )
})

test('nobody can fill the log with slow statements', (t) => {
  const { watcher, lines } = slow(t)
  for (let at = 0; at < 1_000; at += 1) watcher.ended(step())
  assert.equal(lines().length, 10)
  t.mock.timers.tick(60_000)
  assert.equal(lines().length, 11)
  assert.equal(lines()[10]?.message, '990 more slow statements')
  for (let at = 0; at < 20_000; at += 1) watcher.ended(step({ text: `SELECT * FROM t${at}` }))
  assert.equal(lines().length, 11 + 100 + 10, 'statements that are told apart are bounded')
})

test('after closing nothing is watched', () => {
  const steps = new Steps()
  const logs = new Logs({ sinks: [] })
  const watcher = new SlowStatements({ logs, ms: 200, root: '/', steps })
  const begun = steps.begin(StepKinds.Sql, 'SELECT')
  assert.ok(begun !== null && !steps.wantsCaller(begun), 'no stack is kept')
  watcher.close()
  assert.equal(steps.begin(StepKinds.Sql, 'SELECT'), null)
})
