import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import type { InjectedResponse } from '../../http/server/inject.ts'
import { Server } from '../../http/server/server.ts'
import { declarePageFiles, pageModule, plotFiles } from './page-files.ts'

const sources = join(import.meta.dirname, '../..')
const modules = '{devtools/metrics-page/,devtools/}in-page/**/*.ts'

function served(): (path: string) => Promise<InjectedResponse> {
  const server = new Server({ reporter: null })
  declarePageFiles(server.router)
  return (path) => server.inject({ url: posix.join('/', path) })
}

test('the module of the page and all that it imports are served, as JavaScript', async () => {
  const get = served()
  const asked = new Set([pageModule])
  for (const path of asked) {
    const { status, headers, text } = await get(path)
    assert.equal(status, 200, path)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-store')
    assert.doesNotMatch(text, /^(?:import type|export interface) /m)
    for (const [, from = ''] of text.matchAll(/^import .* from '(.*)'$/gm)) {
      if (from !== 'uplot') asked.add(posix.join(posix.dirname(path), from))
    }
  }
  const files = globSync(modules, { cwd: sources }).filter((file) => !file.endsWith('.test.ts'))
  assert.deepEqual([...asked].toSorted(), files.map((file) => `metrics/page/${file}`).toSorted())
})

test('no module writes markup or evaluates text', async () => {
  const get = served()
  for (const file of globSync(modules, { cwd: sources })) {
    if (file.endsWith('.test.ts')) continue
    const { text } = await get(`metrics/page/${file}`)
    assert.doesNotMatch(text, /\beval\b|innerHTML|insertAdjacentHTML|document\.write/, file)
  }
})

test('uPlot is served from its package, for ever: its address changes with the content', async () => {
  const get = served()
  const { script, style } = plotFiles()
  const js = await get(script.url)
  assert.equal(js.status, 200)
  assert.equal(js.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(js.headers['cache-control'], 'private, max-age=31536000, immutable')
  assert.match(js.text, /^\/\*! https:\/\/github\.com\/leeoniya\/uPlot/)
  assert.match(js.text, /\nexport default uPlot\n$/)
  const css = await get(style.url)
  assert.equal(css.headers['content-type'], 'text/css; charset=utf-8')
  assert.match(css.text, /\.uplot/)
  assert.doesNotMatch(css.text, /@import|url\(/)
  assert.doesNotMatch(js.text, /\beval\b|innerHTML|insertAdjacentHTML|document\.write/)
})

for (const path of [
  'devtools/metrics-page/in-page/lines.test.ts',
  'devtools/metrics-page/in-page/lines.js',
  'devtools/metrics-page/in-page/other.ts',
  'devtools/metrics-page/in-page/dom/other.ts',
  'devtools/metrics-page/in-page/dom',
  'devtools/metrics-page/page-files.ts',
  'devtools/inspector/in-page/list-state.ts',
  'devtools/page-modules.ts',
  'devtools/in-page/..%2fpage-modules.ts',
  'devtools/metrics-page/in-page/..%2fpage-files.ts',
  'devtools/metrics-page/in-page/dom/..%2f..%2fpage-files.ts',
  'uplot-0000000000000000.js',
]) {
  test(`there is no module ${path}`, async () => {
    assert.equal((await served()(`metrics/page/${path}`)).status, 404)
  })
}
