import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { demoAccount } from '../../../demo/demo-account.ts'
import { serveDemo } from '../support/demo-tests.ts'
import { sourcesRun } from '../support/sources-run.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/sign-in.md'), 'utf8')
/** The number of files, over all rooms, that a reader would have to follow. It may only ever be lowered. */
const most = { signIn: 109, cursorPage: 74 }

const parts = /^(?:accounts|http\/(?:session|submissions))\//
/** What lets people in. */
const ways = /^accounts\/(?:devices|guards|sign-in)\//

test('docs/sign-in.md names the files that a password sign-in runs through', async (t) => {
  const app = await openDemo(t)
  const [warmUp, first, second] = await Promise.all([1, 2, 3].map(() => preparedSignIn(app)))
  await warmUp?.()
  // A timer of the server may run something else meanwhile, but not in both.
  const inFirst = new Set(await sourcesRun(async () => first?.()))
  const inSecond = await sourcesRun(async () => second?.())
  const ran = inSecond.filter((file) => inFirst.has(file))
  t.diagnostic(`${ran.length} files`)
  assert.ok(ran.length <= most.signIn, `a sign-in runs through ${ran.length} files`)
  assert.deepEqual(
    ran.filter((file) => parts.test(file)),
    filesIn('## By password'),
  )
})

test('docs/sign-in.md names no file that a remember cookie does not run through', async (t) => {
  const visitor = (await openDemo(t)).visitor()
  await visitor.submit('/login', { ...demoAccount, remember: '1' })
  const revive = async (): Promise<void> => {
    visitor.cookies.delete('session')
    assert.equal((await visitor.ask('/account')).status, 200)
  }
  await revive()
  const ran = await sourcesRun(revive)
  assert.deepEqual(
    filesIn('## By the cookie of a device').filter((file) => !ran.includes(file)),
    [],
  )
  const named = filesIn('## By')
  assert.deepEqual(
    ran.filter((file) => ways.test(file) && !named.includes(file)),
    [],
  )
})

test('every file that docs/sign-in.md names exists', () => {
  const root = join(import.meta.dirname, '../../..')
  const named = Array.from(page.matchAll(/`([a-z]+\/[\w./-]+\.ts)`/g), ([, file = '']) => file)
  assert.ok(named.length > 60)
  const folder = (file: string): string =>
    /^(?:demo|framework)\//.test(file) ? '' : 'framework/src'
  assert.deepEqual(
    named.filter((file) => !existsSync(join(root, folder(file), file))),
    [],
  )
})

test('a cursor page runs through few files', async (t) => {
  const visitor = (await openDemo(t)).visitor()
  const read = async (cursor: string): Promise<string> => {
    const headers = { accept: 'application/json' }
    const { status, text } = await visitor.ask(`/items?cursor=${cursor}`, { headers })
    assert.equal(status, 200)
    return JSON.parse(text).next
  }
  const cursor = await read(await read(''))
  const ran = await sourcesRun(() => read(cursor))
  t.diagnostic(`${ran.length} files`)
  assert.ok(ran.length <= most.cursorPage, `a cursor page runs through ${ran.length} files`)
})

async function openDemo(t: TestContext): Promise<Awaited<ReturnType<typeof serveDemo>>> {
  const app = await serveDemo()
  t.after(() => app.close())
  return app
}

/** Opens the form as a visitor; returns a function that sends it. */
async function preparedSignIn(
  app: Awaited<ReturnType<typeof serveDemo>>,
): Promise<() => Promise<void>> {
  const visitor = app.visitor()
  const fields = { _token: await visitor.token(), ...demoAccount, remember: '1' }
  const body = new URLSearchParams(fields)
  return async () => {
    const { headers } = await visitor.ask('/login', { method: 'POST', body })
    assert.equal(headers['location'], '/account')
  }
}

/** The framework files named in the sections with this heading. */
function filesIn(heading: string): readonly string[] {
  const sections = page.split(/^(?=## )/m).filter((section) => section.startsWith(heading))
  const named = sections.flatMap((section) =>
    Array.from(section.matchAll(/`([a-z]+\/[\w./-]+\.ts)`/g), ([, file = '']) => file),
  )
  return [...new Set(named)].filter((file) => parts.test(file)).sort()
}
