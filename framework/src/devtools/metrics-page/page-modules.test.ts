import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import type { InjectedResponse } from '../../http/server/inject.ts'
import { Server } from '../../http/server/server.ts'
import { declarePageModules, pageModule } from './page-modules.ts'

const routes = join(import.meta.dirname, '..')

function modules(): (path: string) => Promise<InjectedResponse> {
  const server = new Server({ reporter: null })
  declarePageModules(server.router)
  return (path) => server.inject({ url: posix.join('/', path) })
}

test('the module of the page and all that it imports are served, as JavaScript', async () => {
  const get = modules()
  const asked = new Set([pageModule])
  for (const path of asked) {
    const { status, headers, text } = await get(path)
    assert.equal(status, 200, path)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-store')
    assert.doesNotMatch(text, /^(?:import type|export interface) /m)
    for (const [, from = ''] of text.matchAll(/^import .* from '(.*)'$/gm)) {
      asked.add(posix.join(posix.dirname(path), from))
    }
  }
  const files = globSync('{metrics-dashboard/,}in-page/**/*.ts', { cwd: routes })
  const sources = files.filter((file) => !file.endsWith('.test.ts'))
  assert.deepEqual([...asked].toSorted(), sources.map((file) => `metrics/page/${file}`).toSorted())
})

test('no module writes markup or evaluates text', async () => {
  const get = modules()
  for (const file of globSync('{metrics-dashboard/,}in-page/**/*.ts', { cwd: routes })) {
    if (file.endsWith('.test.ts')) continue
    const { text } = await get(`metrics/page/${file}`)
    assert.doesNotMatch(text, /\beval\b|innerHTML|insertAdjacentHTML|document\.write/, file)
  }
})

for (const path of [
  'metrics-dashboard/in-page/lines.test.ts',
  'metrics-dashboard/in-page/lines.js',
  'metrics-dashboard/in-page/other.ts',
  'metrics-dashboard/in-page/dom/other.ts',
  'metrics-dashboard/in-page/dom',
  'metrics-dashboard/page-modules.ts',
  'inspector/in-page/list-state.ts',
  'serve-modules.ts',
  'in-page/..%2fserve-modules.ts',
  'metrics-dashboard/in-page/..%2fpage-modules.ts',
  'metrics-dashboard/in-page/dom/..%2f..%2fpage-modules.ts',
]) {
  test(`there is no module ${path}`, async () => {
    assert.equal((await modules()(`metrics/page/${path}`)).status, 404)
  })
}
