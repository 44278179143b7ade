import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { createErrorTables } from '../../src/inbox/error-tables.ts'
import { SqlErrors } from '../../src/inbox/sql-errors.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { ErrorInbox } from '../../src/inbox/error-inbox.ts'
import { ErrorOrders, ErrorStates } from '../../src/inbox/error-group.ts'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { RunningCommand } from '../support/command.ts'
import { inboxSite } from '../support/inbox-site.ts'
import { plantProject } from '../support/plant-project.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { waitFor } from '../support/wait-for.ts'

const browser = testBrowser()
const { skip } = browser
const phone = { width: 390, height: 844 }

const listed = {
  state: ErrorStates.Open,
  order: ErrorOrders.LastSeen,
  search: '',
  offset: 0,
  limit: 5,
} as const

/** The tables of an inbox in a file of a project. */
async function storeIn(t: TestContext, root: string): Promise<SqlErrors> {
  const database = await connect(`sqlite:${join(root, 'errors.sqlite')}`)
  t.after(() => database.close())
  await database.transaction((transaction) => createErrorTables(new Schema(transaction)))
  return new SqlErrors(database)
}

test('an uncaught error that ended its process is in the inbox of the next one', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'framework-inbox-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const store = await storeIn(t, root)
  const child = join(import.meta.dirname, 'error-inbox-child.ts')
  await assert.rejects(promisify(execFile)(process.execPath, [child, root]), { code: 255 })
  const throwables = createThrowables()
  const inbox = new ErrorInbox(store, { root, throwables })
  t.after(() => inbox.close())
  await inbox.flush()
  const { groups } = await store.list(listed)
  assert.equal(groups.length, 1)
  assert.equal(groups[0]?.message, 'uncaught with 0 lost')
  assert.equal(groups[0]?.firstRelease, '2.0')
  assert.match(groups[0]?.place ?? '', /error-inbox-child\.ts .*lastTask/)
})

const hungry = `import { defineProject } from 'framework'
  import { connect } from 'framework/database'
  import { errorInboxFrom } from 'framework/errors'
  import { routeSet } from 'framework/http'
  const Hungry = routeSet('Hungry', (router) => {
    router.get('/eat', async () => {
      const eaten = []
      for (;;) eaten.push(Array.from({ length: 1_000 }, (_, at) => ({ at })))
    })
  })
  export default defineProject({
    name: 'shop',
    services: async (boot) => {
      const database = await connect('sqlite:errors.sqlite')
      return { database, errors: errorInboxFrom(boot, { database }) }
    },
    routes: [Hungry],
  })`

test('a worker that ran out of memory is in the inbox once, told by the primary', async (t) => {
  const root = plantProject(t, { 'project.ts': hungry })
  const store = await storeIn(t, root)
  const command = new RunningCommand(t, ['serve', '--port', '0'], {
    cwd: root,
    env: { WORKERS: '2', APP_RELEASE: 'r7', NODE_OPTIONS: '--max-old-space-size=80' },
  })
  const url = await command.url()
  await assert.rejects(fetch(`${url}/eat`))
  const [group] = await waitFor('the group', async () => {
    const { groups } = await store.list(listed)
    return groups.length > 0 && groups
  })
  assert.equal(group?.class, 'ErrorException')
  assert.match(group.message, /heap out of memory/)
  assert.deepEqual([group.count, group.firstRelease], [1, 'r7'])
  assert.equal(await command.stop(), 0, command.stderr)
  const { groups } = await store.list(listed)
  assert.deepEqual([groups.length, groups[0]?.count], [1, 1])
})

test(
  'the inbox works without scripts and by keyboard, in both colour schemes and on a phone',
  { skip },
  async (t) => {
    const site = await inboxSite(t, { guard: (_request, _response, next) => next() })
    const { server, inbox, clock } = site
    const { port } = await server.configure({ port: 0, drainTimeout: 0 }).listen({ signals: false })
    const url = `http://127.0.0.1:${port}`
    const failing = ['/orders/1', '/orders/2', '/reports', '/markup']
    for (const times of [3, 1, 0, 7, 2]) {
      for (const path of failing.slice(0, times)) {
        assert.equal((await fetch(url + path)).status, 500)
      }
      await inbox.flush()
      clock.now += 2 * 3_600
    }
    for (const path of failing) assert.equal((await fetch(url + path)).status, 500)
    await inbox.flush()
    clock.now += 200

    for (const colorScheme of ['light', 'dark'] as const) {
      // The content security policy of the page would block axe.
      const context = await browser.context({ colorScheme, bypassCSP: true })
      const page = await context.newPage()
      await page.goto(`${url}/errors`)
      await look(page, `errors-list-${colorScheme}`)
      await page.getByRole('link', { name: 'the report cannot be shown' }).click()
      await page.getByText('other frames').first().click()
      await look(page, `errors-group-${colorScheme}`)
      await context.close()
    }

    const context = await browser.context({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${url}/errors`)
    await page.getByRole('searchbox').fill('no order')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'there is no order 1' }).focus()
    await page.keyboard.press('Enter')
    clock.now += 5
    await page.getByRole('button', { name: 'Resolve', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('resolved', { exact: true }).waitFor()
    clock.now += 5
    assert.equal((await fetch(`${url}/orders/3`)).status, 500)
    await inbox.flush()
    await page.reload()
    await page.getByText('Came back in release 1.4').waitFor()
    await keepScreenshot(page, 'errors-returned')
    await page.getByRole('button', { name: 'Mute' }).click()
    await page.getByText('muted', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'All errors' }).click()
    assert.equal(
      await page.getByRole('link', { name: /^Muted 1$/ }).getAttribute('aria-current'),
      'page',
    )
    await context.close()
  },
)

/** Checks a page with axe, wide and on a phone. */
async function look(page: Page, name: string): Promise<void> {
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, name)
  const { width = 1280, height = 720 } = page.viewportSize() ?? {}
  await page.setViewportSize(phone)
  assert.deepEqual(await violations(page), [])
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  assert.ok(wide <= phone.width, `${wide} pixels wide`)
  await keepScreenshot(page, `${name}-phone`)
  await page.setViewportSize({ width, height })
}
