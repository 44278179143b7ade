import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Views } from '../../base/templates/views.ts'
import { Server } from '../server/server.ts'
import type { ErrorValues } from './error-values.ts'

/** What a server says of a path that no route answers, by page and by JSON, and what was reported. */
async function answersOf(t: TestContext, give: ErrorValues) {
  const folder = mkdtempSync(join(tmpdir(), 'error-values-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'errors'))
  writeFileSync(join(folder, 'errors', '404.template.html'), '<%= it.site %> for <%= it.who %>')
  const throwables = createThrowables()
  const reported: unknown[] = []
  throwables.reporters.push((error) => reported.push(error))
  const server = new Server({ environment: 'production', reporter: null, throwables })
    .configure({ views: new Views(folder) })
    .globals({ site: 'Shop', who: 'nobody' }, give)
  const { status, text } = await server.inject({ url: '/nowhere' })
  assert.equal(status, 404)
  const json = await server.inject({ url: '/nowhere', headers: { accept: 'application/json' } })
  assert.deepEqual(json.json(), { error: 'Not Found' })
  return { text, reported }
}

test('an error page shows the values of its request, synchronous or asynchronous', async (t) => {
  const paths: string[] = []
  const atOnce: ErrorValues = ({ path }) => {
    paths.push(path)
    return { who: 'Ada' }
  }
  for (const give of [atOnce, async () => ({ who: 'Ada' })]) {
    assert.deepEqual(await answersOf(t, give), { text: 'Shop for Ada', reported: [] })
  }
  assert.deepEqual(paths, ['/nowhere'], 'a script is not told, so nobody asks')
})

test('values that fail cost the page nothing else, and are reported', async (t) => {
  const broken = new Error('broken')
  const fail = (): never => {
    throw broken
  }
  for (const give of [fail, () => Promise.reject(broken)]) {
    assert.deepEqual(await answersOf(t, give), { text: 'Shop for nobody', reported: [broken] })
  }
})

test('values that never come are not waited for', async (t) => {
  const { text } = await answersOf(t, () => new Promise(() => {}))
  assert.equal(text, 'Shop for nobody')
})
