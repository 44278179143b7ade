import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { Trust } from '../../src/accounts/devices/trust.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { testBrowser } from '../support/browser.ts'
import { startServer } from '../support/start-server.ts'
import { authDatabase, email, password } from './auth-workers-database.ts'

const browser = testBrowser()
const { skip } = browser
const script = join(import.meta.dirname, 'auth-workers-server.ts')
const tabs = 6

async function cookie(context: BrowserContext, name: string): Promise<string> {
  return (await context.cookies()).find((found) => found.name === name)?.value ?? ''
}

/** Holds the first request of each tab until all have arrived. */
async function startTogether(context: BrowserContext): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let held = 0
  await context.route('**?tab=*', async (route) => {
    if ((held += 1) === tabs) resolve()
    await promise
    await route.continue()
  })
}

test(
  'six tabs that a browser restores end up signed in, and no device is lost',
  { skip },
  async (t) => {
    const { url, database } = await authDatabase(t)
    const meeting = await mkdtemp(join(tmpdir(), 'framework-tabs-'))
    t.after(() => rm(meeting, { recursive: true, force: true }))
    const { port } = await startServer(t, script, { database: url, workers: 2, meeting })
    const origin = `http://127.0.0.1:${port}`
    const trust = new Trust(database)
    const sessions = new Sessions(new SqlSessions(database))
    const context = await browser.context()
    t.after(() => context.close())
    await context.request.post(`${origin}/login`, { form: { email, password } })
    const used = await cookie(context, 'remember')
    const [device] = await trust.list('1')
    await context.clearCookies({ name: 'session' })

    await startTogether(context)
    const workers = new Set<string | undefined>()
    const statuses: number[] = []
    context.on('response', (answer) => {
      if (!answer.url().includes('?tab=')) return
      statuses.push(answer.status())
      // From here on the browser has the winner's cookies.
      if (answer.status() === 200) writeFileSync(join(meeting, 'answered'), '')
      workers.add(answer.headers()['x-pid'])
    })
    const pages = await Promise.all(Array.from({ length: tabs }, () => context.newPage()))
    await Promise.all(pages.map((page, at) => page.goto(`${origin}/account?tab=${at}`)))
    for (const page of pages) {
      assert.equal(await page.locator('h1').textContent(), `Account of ${email}`)
    }
    assert.deepEqual(statuses.map(String).sort(), ['200', ...Array(5).fill('303')], 'one has won')
    assert.equal(workers.size, 2, 'both workers have answered')
    const [listed, ...others] = await trust.list('1')
    assert.deepEqual([listed?.handle, others], [device?.handle, []])
    assert.notEqual(await cookie(context, 'remember'), used)

    // A script with the used-up token is a thief, however soon it comes.
    const replay = await fetch(`${origin}/account`, {
      redirect: 'manual',
      headers: { cookie: `remember=${used}` },
    })
    assert.equal(replay.status, 303)
    assert.match(replay.headers.getSetCookie().join(), /^remember=; Max-Age=0; [^,]*SameSite=Lax/)
    assert.deepEqual(await trust.list('1'), [])
    assert.deepEqual(await sessions.list('1'), [])
    await pages[0]?.goto(`${origin}/account`)
    assert.equal(await pages[0]?.locator('h1').textContent(), 'Sign in')
  },
)

test(
  'six tabs of a public page lose no device, nor does a page with many concurrent requests',
  { skip },
  async (t) => {
    const { url, database } = await authDatabase(t)
    const { port } = await startServer(t, script, { database: url, workers: 2 })
    const origin = `http://127.0.0.1:${port}`
    const trust = new Trust(database)
    const context = await browser.context()
    t.after(() => context.close())
    await context.request.post(`${origin}/login`, { form: { email, password } })
    const [device] = await trust.list('1')
    await context.clearCookies({ name: 'session' })

    await startTogether(context)
    const workers = new Set<string | undefined>()
    context.on('response', (answer) => workers.add(answer.headers()['x-pid']))
    const pages = await Promise.all(Array.from({ length: tabs }, () => context.newPage()))
    await Promise.all(pages.map((page, at) => page.goto(`${origin}/?tab=${at}`)))
    const names = await Promise.all(pages.map((page) => page.locator('h1').textContent()))
    assert.deepEqual(names.map(String).sort(), [...Array(5).fill('Guest'), email], 'one has won')
    assert.equal(workers.size, 2, 'both workers have answered')
    for (const page of pages) {
      await page.goto(`${origin}/`)
      assert.equal(await page.locator('h1').textContent(), email, 'the next visit of the others')
    }

    await context.clearCookies({ name: 'session' })
    await pages[0]?.goto(`${origin}/busy`)
    await pages[0]?.waitForFunction("document.title !== ''")
    assert.equal(await pages[0]?.title(), Array(8).fill(email).join())
    const [listed, ...others] = await trust.list('1')
    assert.deepEqual([listed?.handle, others], [device?.handle, []])
  },
)
