import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import { copyOnce, madeOnce } from '../support/made-once.ts'
import { plantTree } from './planted-tree.ts'

/** A folder that is shared until the test ends. */
function share(t: TestContext): string {
  const { FRAMEWORK_TEST_SHARED = '' } = process.env
  t.after(() => (process.env['FRAMEWORK_TEST_SHARED'] = FRAMEWORK_TEST_SHARED))
  const folder = plantTree(t, { 'work/file': '' })
  process.env['FRAMEWORK_TEST_SHARED'] = folder
  return folder
}

test('of several that ask at once one makes it, and all get it when it is complete', async (t) => {
  share(t)
  let made = 0
  const make = async (folder: string): Promise<void> => {
    made += 1
    await soon()
    writeFileSync(join(folder, 'file'), 'complete')
  }
  const folders = await Promise.all([0, 1, 2].map(() => madeOnce('thing', make)))
  assert.equal(made, 1)
  for (const folder of folders) {
    assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'complete')
  }
})

test('if it cannot be made, all who ask are told why', async (t) => {
  share(t)
  const fail = (): Promise<never> => Promise.reject(new Error('no room'))
  const all = await Promise.allSettled([0, 1].map(() => madeOnce('thing', fail)))
  for (const one of all) {
    assert.equal(one.status, 'rejected')
    assert.match(String(one.reason), /no room/)
  }
})

test('each gets a copy of its own', async (t) => {
  const folder = share(t)
  let made = 0
  const fill = async (to: string): Promise<void> => {
    made += 1
    writeFileSync(to, 'first')
  }
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  await copyOnce('copied', one, fill)
  writeFileSync(one, 'changed')
  await copyOnce('copied', other, fill)
  assert.equal(made, 1)
  assert.equal(readFileSync(other, 'utf8'), 'first')
})
