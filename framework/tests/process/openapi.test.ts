import assert from 'node:assert/strict'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { violations } from '../support/axe.ts'
import { testBrowser } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { startDemo } from '../support/demo-site.ts'
import { plantProject } from '../support/plant-project.ts'
import { keepScreenshot } from '../support/screenshots.ts'
import { Visitor } from '../support/visitor.ts'

const browser = testBrowser()
const { skip } = browser
const phone = { width: 390, height: 844 }
const { url } = await startDemo()

test('an operation can be read and tried on the page', { skip }, async (t) => {
  const { page } = await Visitor.arrive(t, browser, url, { refusals: [401] })
  await page.goto(`${url}/openapi`)
  const list = page.locator('details.operation', { hasText: 'Lists items' })
  await list.locator('summary').first().click()
  await list.getByLabel('limit').fill('3')
  await list.getByRole('button', { name: 'Send GET' }).click()
  await list.getByText('200 OK').waitFor()
  const shown = JSON.parse(await list.locator('.response > pre').innerText())
  assert.deepEqual([shown.items.length, shown.limit], [3, 3])
  await list.getByRole('button', { name: 'Copy as curl' }).click()
  assert.equal(
    await list.locator('.response > pre').innerText(),
    `curl -g '${url}/items?limit=3' -H 'Accept: application/json'`,
  )
  await list.locator('summary').first().click()

  const order = page.locator('details.operation', { hasText: 'Orders an item' })
  await order.locator('summary').first().click()
  await page.getByLabel('API token').fill('fw_none')
  await order.getByRole('button', { name: 'Send POST' }).click()
  await order.getByText('401 Unauthorized').waitFor()
  assert.match(await order.locator('.response').innerText(), /"This API token is unknown/)
  await keepScreenshot(page, 'openapi')
  // The token that was entered goes into no command, which may end up in a chat or a history.
  await order.getByRole('button', { name: 'Copy as curl' }).click()
  await order.getByText('Authorization: Bearer YOUR_TOKEN').waitFor()
  assert.doesNotMatch(await order.locator('.response').innerText(), /fw_none/)
  await page.getByRole('link', { name: 'OutOfStock' }).click()
  await page.locator('#schema-OutOfStock:target').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `the page has no accessibility problem that axe knows, ${colorScheme}`,
    { skip },
    async (t) => {
      const options = { bypassCSP: true, colorScheme, viewport: phone }
      const { page } = await Visitor.arrive(t, browser, url, options)
      await page.goto(`${url}/openapi`)
      for (const part of await page.locator('details.operation > summary').all()) await part.click()
      assert.deepEqual(await violations(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phone.width)
    },
  )
}

/** A folder with a project that uses valibot. */
function plantNotes(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = plantProject(t, { 'project.ts': project, ...files })
  symlinkSync(join(installed, 'valibot'), join(folder, 'node_modules', 'valibot'))
  return folder
}

const installed = join(import.meta.dirname, '..', '..', '..', 'node_modules')

const project = `
import { defineProject } from 'framework'
import { routeSet } from 'framework/http'
import * as v from 'valibot'
const Notes = routeSet('Notes', (router) => {
  router.post('/notes', () => 'done', { body: v.object({ title: v.string() }) })
})
export default defineProject({ name: 'shop', routes: [Notes] })
`

test('framework openapi prints the document, writes it, and says whether a file is current', async (t) => {
  const packages = '{ "type": "module", "version": "1.2.3", "description": "Sells things" }'
  const cwd = plantNotes(t, { 'package.json': packages })
  const printed = await runCommand(t, ['openapi'], { cwd })
  assert.deepEqual([printed.status, printed.stderr], [0, ''])
  const { info, paths } = JSON.parse(printed.stdout)
  assert.deepEqual(info, { title: 'shop', version: '1.2.3', description: 'Sells things' })
  const { schema } = paths['/notes'].post.requestBody.content['application/json']
  assert.deepEqual(schema.properties, { title: { type: 'string' } })

  const file = join(cwd, 'openapi.json')
  const missing = await runCommand(t, ['openapi', '--check', 'openapi.json'], { cwd })
  assert.equal(missing.status, 1)
  const text = 'error: openapi.json is not current; run framework openapi --out openapi.json\n'
  assert.equal(missing.stderr, text)
  const written = await runCommand(t, ['openapi', '--out', 'openapi.json'], { cwd })
  assert.deepEqual([written.status, written.stdout], [0, ''])
  assert.equal(readFileSync(file, 'utf8'), printed.stdout)
  assert.equal((await runCommand(t, ['openapi', '--check', 'openapi.json'], { cwd })).status, 0)
  writeFileSync(file, printed.stdout.replace('1.2.3', '1.2.4'))
  assert.equal((await runCommand(t, ['openapi', '--check', 'openapi.json'], { cwd })).status, 1)
})

// As in a project that has valibot, but not the package that describes its schemas.
const withoutPackage = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    if (name !== '@valibot/to-json-schema') return next(name, context)
    throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' })
  },
})
`

test('without the package for valibot the document says less, and a note says what to install', async (t) => {
  const cwd = plantNotes(t, { 'hooks.mjs': withoutPackage })
  const env = { NODE_OPTIONS: `--import=${join(cwd, 'hooks.mjs')}` }
  const { status, stdout, stderr } = await runCommand(t, ['openapi'], { cwd, env })
  assert.equal(status, 0)
  const { requestBody } = JSON.parse(stdout).paths['/notes'].post
  assert.deepEqual(requestBody.content, { 'application/json': { schema: {} } })
  assert.match(
    stderr,
    /^note: the body of POST \/notes is not described: install @valibot\/to-json-schema .*\n$/,
  )
})
