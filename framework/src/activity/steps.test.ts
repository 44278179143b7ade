import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { FrameworkError } from '../base/errors.ts'
import { Activity, ActivityKinds } from './activity.ts'
import { countStatements, Steps } from './steps.ts'
import { CurrentWork } from './current-work.ts'
import { StepKinds } from './step.ts'
import type { Step } from './step.ts'

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Command
  readonly id = 'c1'
  readonly title = 'work'
  readonly account = null
}

function watched(): { steps: Steps; seen: Step[] } {
  const steps = new Steps()
  const seen: Step[] = []
  steps.watch({
    ended(step) {
      seen.push(step)
    },
  })
  return { steps, seen }
}

test('nothing is begun while nobody watches', () => {
  const steps = new Steps()
  assert.equal(steps.begin(StepKinds.Sql, 'SELECT'), null)
  const stop = steps.watch({ ended() {} })
  assert.notEqual(steps.begin(StepKinds.Sql, 'SELECT'), null)
  stop()
  assert.equal(steps.begin(StepKinds.Sql, 'SELECT'), null)
})

test('a step belongs to the work in which it began, wherever it ends', async () => {
  const { steps, seen } = watched()
  const activity = new Work()
  const step = CurrentWork.runActivity(activity, () => steps.begin(StepKinds.Redis, 'GET'))
  await turn()
  step?.end(0, null)
  assert.equal(seen[0]?.context.activity, activity)
  assert.equal(CurrentWork.context().activity, null)
})

test('measured work passes its result or its error on, and the step knows the code', async () => {
  const { steps, seen } = watched()
  assert.equal(await steps.measure(StepKinds.Mail, 'smtp', () => Promise.resolve(5)), 5)
  const failing = (): Promise<never> => Promise.reject(new FrameworkError('E_MAIL', 'no'))
  await assert.rejects(steps.measure(StepKinds.Mail, 'smtp', failing), /no/)
  const foreign = (): Promise<never> => Promise.reject(new Error('secret'))
  await assert.rejects(steps.measure(StepKinds.Mail, 'smtp', foreign), /secret/)
  assert.deepEqual(
    seen.map(({ failure }) => failure),
    [null, 'E_MAIL', 'error'],
  )
})

test('a watcher that throws disturbs neither the work nor the other watchers', async () => {
  const steps = new Steps()
  let heard = 0
  steps.watch({
    ended() {
      throw new Error('broken')
    },
  })
  steps.watch({ ended: () => void (heard += 1) })
  assert.equal(await steps.measure(StepKinds.Mail, 'smtp', () => Promise.resolve(5)), 5)
  assert.equal(heard, 1)
})

test('the statements of an activity are counted', () => {
  const steps = new Steps()
  steps.watch(countStatements)
  const activity = new Work()
  CurrentWork.runActivity(activity, () => {
    steps.begin(StepKinds.Sql, 'SELECT')?.end(1, null)
    steps.begin(StepKinds.Sql, 'SELECT')?.end(1, null)
    steps.begin(StepKinds.Redis, 'GET')?.end(1, null)
  })
  steps.begin(StepKinds.Sql, 'SELECT')?.end(1, null)
  assert.equal(activity.statements, 2)
  assert.ok(activity.statementMs >= 0)
})

test('a watcher that several parts added gets each step once, until all of them removed it', () => {
  const steps = new Steps()
  let heard = 0
  const watcher = { ended: () => void (heard += 1) }
  const [stop, other] = [steps.watch(watcher), steps.watch(watcher)]
  steps.begin(StepKinds.Sql, 'SELECT')?.end(0, null)
  assert.equal(heard, 1)
  stop()
  stop()
  steps.begin(StepKinds.Sql, 'SELECT')?.end(0, null)
  assert.equal(heard, 2)
  other()
  assert.equal(steps.begin(StepKinds.Sql, 'SELECT'), null)
})

test('a later part of a call is marked as such across awaits, if somebody tells calls apart', async () => {
  const steps = new Steps()
  const seen: unknown[] = []
  const stop = steps.watch({ ended: ({ context }) => void seen.push(context.continues ?? false) })
  const work = async (): Promise<void> => {
    await turn()
    CurrentWork.runFields({ order: 5 }, () => steps.begin(StepKinds.Sql, 'SELECT')?.end(0, null))
  }
  await steps.continuing(work)
  stop()
  steps.watch({ wantsCallers: true, ended: ({ context }) => void seen.push(context.continues) })
  await steps.continuing(work)
  await work()
  assert.deepEqual(seen, [false, true, false])
})

test('a stack is kept only for steps whose caller somebody reads', () => {
  const steps = new Steps()
  steps.watch({ ended() {}, wantsCallers: ({ name }) => name === 'SELECT' })
  const begun = ['SELECT', 'INSERT'].map((name) => steps.begin(StepKinds.Sql, name))
  assert.deepEqual(
    begun.map((step) => step !== null && steps.wantsCaller(step)),
    [true, false],
  )
  steps.watch({ ended() {}, wantsCallers: true })
  assert.deepEqual(
    begun.map((step) => step !== null && steps.wantsCaller(step)),
    [true, true],
  )
})

test('a watcher of long steps gets those and failed ones', () => {
  const steps = new Steps()
  const seen: string[] = []
  steps.watch({ minMs: 200, ended: ({ name }) => void seen.push(name) })
  steps.begin(StepKinds.Sql, 'short', '', '', 0)?.end(0, null, 199)
  steps.begin(StepKinds.Sql, 'long', '', '', 0)?.end(0, null, 200)
  steps.begin(StepKinds.Sql, 'failed', '', '', 0)?.end(0, 'E_DATABASE', 1)
  assert.deepEqual(seen, ['long', 'failed'])
})

test('a short statement need not become a step unless somebody watches it, but is counted', () => {
  const steps = new Steps()
  steps.watch({ minMs: 200, ended() {} })
  assert.equal(steps.skipsStatement('SELECT 1', 0, 199), true)
  assert.equal(steps.skipsStatement('SELECT 1', 0, 200), false)
  steps.watch(countStatements)
  const activity = new Work()
  CurrentWork.runActivity(activity, () =>
    assert.equal(steps.skipsStatement('SELECT 1', 0, 5), true),
  )
  assert.deepEqual([activity.statements, activity.statementMs], [1, 5])
  steps.watch({ ended() {} })
  assert.equal(steps.skipsStatement('SELECT 1', 0, 5), false)
})

test('a watcher of what is traced needs the statements of what has a span', () => {
  const steps = new Steps()
  steps.watch({ onlyTraced: true, ended() {} })
  const activity = new Work()
  const skips = (): boolean =>
    CurrentWork.runActivity(activity, () => steps.skipsStatement('SELECT 1', 0, 1))
  assert.equal(steps.skipsStatement('SELECT 1', 0, 1), true)
  assert.equal(skips(), true)
  activity.span = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
  assert.equal(skips(), false)
  assert.equal(
    CurrentWork.runSpan(activity.span, () => steps.skipsStatement('SELECT 1', 0, 1)),
    false,
  )
})
