import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testBrowser } from '../support/browser.ts'
import { RunningCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'
import { waitFor } from '../support/wait-for.ts'

const route = (word: string): string => `import { routeSet } from 'framework/http'
  export const Home = routeSet('Home', (router) => {
    router.get('/', (_request, response) => response.view('home', { word: '${word}' }))
    router.get('/word', () => '${word} ' + process.pid)
    router.get('/slow', async () => {
      console.log('slow began')
      await new Promise((resolve) => setTimeout(resolve, 500))
      return '${word}'
    })
  })`

const view = (heading: string): string => `<!doctype html>
  <html>
    <head><title>x</title><link rel="stylesheet" href="<%= asset('style.css') %>"></head>
    <body><h1>${heading} <%= it.word %></h1></body>
  </html>`

const undo: (() => unknown)[] = []
after(() => undo.toReversed().forEach((step) => step()))
const owner = { after: (step: () => unknown) => void undo.push(step) }

const root = plantProject(owner, {
  'project.ts': `import { defineProject } from 'framework'
    import { Home } from './routes/home.ts'
    export default defineProject({ name: 'shop', routes: [Home] })`,
  'routes/home.ts': route('bread'),
  'views/home.template.html': view('Fresh'),
  'public/style.css': 'h1 { color: rgb(1, 0, 0) }',
})
const command = new RunningCommand(
  owner,
  ['serve', '--port', '0', '--watch', '--environment', 'development'],
  { cwd: root },
)
const browser = testBrowser()
const write = (path: string, text: string): void => writeFileSync(join(root, path), text)

test('during a restart every request is served, by the new server from the moment it is there', async () => {
  const url = await command.url()
  // A connection of its own for each, as strangers would have.
  const ask = async (): Promise<string> =>
    (await fetch(`${url}/word`, { headers: { connection: 'close' } })).text()
  const seen = [await ask()]
  const slow = fetch(`${url}/slow`)
  await command.said(/slow began/)
  write('routes/home.ts', route('cake'))
  await waitFor('the new server', async () => {
    seen.push(...(await Promise.all([ask(), ask(), ask()])))
    return seen.at(-1)?.startsWith('cake') === true ? true : undefined
  })
  const words = seen.map((text) => text.split(' ')[0])
  const first = words.indexOf('cake')
  assert.ok(words.slice(first).every((word) => word === 'cake'))
  assert.ok(words.slice(0, first).every((word) => word === 'bread'))
  assert.equal(new Set(seen).size, 2)
  // What the old server had begun, it ended.
  assert.equal(await (await slow).text(), 'bread')
  assert.equal(await command.url(2), url)
})

test(
  'in a browser styles are swapped, and pages reloaded for templates and for code',
  { skip: browser.skip },
  async () => {
    const url = await command.url()
    const page = await (await browser.context()).newPage()
    await page.goto(url)
    const pid = await pidOf(url)
    await page.evaluate(`window.kept = true`)
    const isKept = (): Promise<boolean> => page.evaluate(`window.kept === true`)
    const color = (): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('h1')).color`)
    const links = (): Promise<string> =>
      page.evaluate(`String(document.querySelectorAll('link').length)`)
    const heading = (): Promise<string> => page.locator('h1').first().innerText()

    write('public/style.css', 'h1 { color: rgb(2, 0, 0) }')
    await becomes(page, color, 'rgb(2, 0, 0)')
    assert.ok(await isKept(), 'a style needs no new page')
    await becomes(page, links, '1')

    write('views/home.template.html', view('Stale'))
    await becomes(page, heading, 'Stale cake')
    assert.ok(!(await isKept()))
    assert.equal(await pidOf(url), pid, 'neither needs another server')

    write('routes/home.ts', route('pie'))
    await becomes(page, heading, 'Stale pie')
    assert.notEqual(await pidOf(url), pid)

    // A page of a failure comes back by itself, too.
    write('views/home.template.html', `<%= it.none.x %>`)
    await page.getByText("reading 'x'").first().waitFor()
    write('views/home.template.html', view('Whole'))
    await becomes(page, heading, 'Whole pie')
  },
)

test('it stops with the command', async () => {
  const url = await command.url()
  assert.equal(await command.stop(), 0)
  await assert.rejects(fetch(url))
  rmSync(join(root, 'storage'), { recursive: true, force: true })
})

/** Waits until what the page shows is the expected text; a page that is being reloaded has none. */
async function becomes(page: Page, read: () => Promise<string>, expected: string): Promise<void> {
  let last = ''
  await waitFor(
    () => `${expected} on ${page.url()}, which has ${last}`,
    async () => {
      last = await read().catch(() => '')
      return last === expected ? true : undefined
    },
  )
}

async function pidOf(url: string): Promise<string> {
  return (await (await fetch(`${url}/word`)).text()).split(' ')[1] ?? ''
}
