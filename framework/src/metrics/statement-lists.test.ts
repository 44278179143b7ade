import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { FleetList } from './fleet-list.ts'
import { clearFolder, removeWorkerFile, workerFile } from './fleet-files.ts'
import { SlowestStatements } from './slowest-statements.ts'
import { StatementLists } from './statement-lists.ts'

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-statements-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The lists as the worker in that slot sees them, and its statements. */
function workerIn(
  folder: string,
  slot: number,
): { readonly lists: StatementLists; readonly run: (sql: string) => void } {
  const steps = new Steps()
  const slow = new SlowestStatements()
  steps.watch(slow)
  const file = workerFile(folder, { slot, pid: slot })
  return {
    lists: new StatementLists(slow, { file, interval: 10 }),
    run: (sql) => steps.begin(StepKinds.Sql, 'SELECT', sql)?.end(0, null),
  }
}

test('a worker lists the statements of all workers that are alive', async (t) => {
  const folder = newFolder(t)
  const fleet = new FleetList(folder)
  const [one, two, dead] = [1, 2, 3].map((slot) => workerIn(folder, slot))
  assert.ok(one && two && dead)
  for (const slot of [1, 2]) fleet.add({ slot, pid: slot })
  one.run('SELECT both')
  two.run('SELECT both')
  two.run('SELECT two')
  dead.run('SELECT dead')
  await Promise.all([one, two, dead].map(({ lists }) => lists.write()))
  const list = await one.lists.read()
  assert.deepEqual(list.map(({ statement, count }) => `${statement} ${count}`).toSorted(), [
    'SELECT both 2',
    'SELECT two 1',
  ])
  await two.lists.stop()
  assert.deepEqual((await one.lists.read()).length, 1)
})

test('without a fleet a worker lists its own', async (t) => {
  const { lists, run } = workerIn(newFolder(t), 1)
  run('SELECT a')
  assert.equal((await lists.read()).length, 1)
})

test('the file is written when there is something new, for its owner only', async (t) => {
  const folder = newFolder(t)
  const { lists, run } = workerIn(folder, 1)
  await lists.write()
  assert.deepEqual(readdirSync(folder), [])
  run('SELECT a')
  await lists.write()
  const file = join(folder, 'worker-1-1.statements')
  const { mode, ino } = statSync(file)
  assert.equal(mode & 0o777, 0o600)
  await lists.write()
  assert.equal(statSync(file).ino, ino)
})

test('a file that is no list is ignored, and so are entries that are no statements', async (t) => {
  const folder = newFolder(t)
  const fleet = new FleetList(folder)
  for (const slot of [1, 2, 3]) fleet.add({ slot, pid: slot })
  const one = { statement: 'SELECT a', count: 1, total: 1, max: 1, caller: 5 }
  const bad = [null, 'x', { ...one, count: '1' }, { ...one, max: -1 }, { count: 1 }, one]
  writeFileSync(join(folder, 'worker-2-2.statements'), JSON.stringify(bad))
  writeFileSync(join(folder, 'worker-3-3.statements'), '[')
  assert.deepEqual(await workerIn(folder, 1).lists.read(), [{ ...one, caller: null }])
})

test('the list goes with its worker, and with the files of an earlier fleet', async (t) => {
  const folder = newFolder(t)
  const names = ['worker-1-1.statements', 'worker-1-11.statements', 'worker-1-1.statements.x.tmp']
  for (const name of names) writeFileSync(join(folder, name), '[]')
  await removeWorkerFile(folder, { slot: 1, pid: 1 })
  assert.deepEqual(readdirSync(folder), ['worker-1-11.statements'])
  await clearFolder(folder)
  assert.deepEqual(readdirSync(folder), [])
})
