import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StepKinds } from '../activity/step.ts'
import type { Step } from '../activity/step.ts'
import { SlowestStatements } from './slowest-statements.ts'

const context = { activity: null, span: null, fields: {} }

/** A statement that ended `endedMs` after the start of this process. */
function step(text: string, durationMs: number, more: Partial<Step> = {}): Step {
  const startMs = performance.now() - durationMs
  const kind = StepKinds.Sql
  const caller = null
  return {
    kind,
    name: 'SELECT',
    text,
    context,
    startMs,
    durationMs,
    count: 0,
    failure: null,
    caller,
    ...more,
  }
}

const at = (file: string): Partial<Step> => ({
  caller: { file: `${process.cwd()}/${file}`, line: 7, column: 3, call: 'load' },
})

test('a statement is listed with its count, total, maximum and the caller of its first run', () => {
  const statements = new SlowestStatements()
  statements.ended(step('SELECT a', 10, at('src/first.ts')))
  statements.ended(step('SELECT a', 30, at('src/other.ts')))
  statements.ended(step('SELECT a', 20, at('src/other.ts')))
  statements.ended(step('SELECT b', 50))
  statements.ended(step('GET', 900, { kind: StepKinds.Redis }))
  assert.deepEqual(statements.list(), [
    { statement: 'SELECT b', count: 1, total: 0.05, max: 0.05, caller: null },
    { statement: 'SELECT a', count: 3, total: 0.06, max: 0.03, caller: 'src/first.ts:7' },
  ])
})

test('values that were written into statements are not listed, and do not tell them apart', () => {
  const statements = new SlowestStatements()
  for (const name of ['ada', 'bob']) statements.ended(step(`SELECT a WHERE name = '${name}'`, 10))
  assert.deepEqual(
    statements.list().map(({ statement, count }) => [statement, count]),
    [['SELECT a WHERE name = ?', 2]],
  )
})

test('the twenty slowest are listed, however many there are', () => {
  const statements = new SlowestStatements()
  for (let at = 0; at < 1_000; at += 1)
    statements.ended(step(`SELECT c${at}`, 1 + ((at * 7) % 1_000)))
  const list = statements.list()
  assert.deepEqual(
    list.map(({ max }) => Math.round(max * 1_000)),
    Array.from({ length: 20 }, (_, place) => 1_000 - place),
  )
  assert.equal(statements.size, 200)
})

test('a long statement is cut, and those that begin alike count as one', () => {
  const statements = new SlowestStatements()
  for (const rows of [1_000, 2_000]) statements.ended(step(`INSERT ${'(?)'.repeat(rows)}`, 10))
  const [one, ...others] = statements.list()
  assert.deepEqual(others, [])
  assert.equal(one?.count, 2)
  assert.ok(one.statement.length < 1_010 && one.statement.endsWith('…'))
})

test('a statement is forgotten after five to ten minutes', () => {
  const statements = new SlowestStatements()
  const now = performance.now()
  statements.ended(step('SELECT old', 10))
  assert.equal(statements.list(now + 301_000).length, 1)
  statements.ended(step('SELECT new', 10, { startMs: now + 400_000 }))
  assert.equal(statements.list(now + 590_000).length, 2)
  assert.deepEqual(
    statements.list(now + 640_000).map(({ statement }) => statement),
    ['SELECT new'],
  )
  assert.deepEqual(statements.list(now + 2_000_000), [])
  statements.ended(step('SELECT last', 10, { startMs: now + 2_000_000 }))
  assert.deepEqual(statements.list(now + 2_700_000), [])
})

test('a caller is asked for once, and never when there is no room', () => {
  const statements = new SlowestStatements()
  const asks = (text: string): boolean => statements.wantsCallers(step(text, 1))
  assert.equal(asks('SELECT a'), true)
  statements.ended(step('SELECT a', 10))
  assert.equal(asks('SELECT a'), false)
  assert.equal(statements.wantsCallers(step('GET', 1, { kind: StepKinds.Redis })), false)
  for (let at = 0; at < 300; at += 1) statements.ended(step(`SELECT c${at}`, 1))
  assert.equal(asks('SELECT new'), false)
})
