import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { Server } from '../../http/server/server.ts'
import { declareInspectorModules, moduleUrl } from './page-frame.ts'

test('the modules of the pages are served, import only each other and write no markup', async () => {
  const server = new Server({ reporter: null })
  server.router.group('/inspect', (group) => declareInspectorModules(group))
  const asked = new Set([moduleUrl('list'), moduleUrl('activity')])
  for (const url of asked) {
    const { status, headers, text } = await server.inject({ url })
    assert.equal(status, 200, url)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.doesNotMatch(text, /\beval\b|innerHTML|insertAdjacentHTML|document\.write/, url)
    for (const [, from = ''] of text.matchAll(/^import .* from '(.*)'$/gm)) {
      asked.add(posix.join(posix.dirname(url), from))
    }
  }
  const files = globSync('devtools/{inspector/,}in-page/**/*.ts', {
    cwd: join(import.meta.dirname, '../..'),
  })
  const sources = files.filter((file) => !file.endsWith('.test.ts'))
  assert.deepEqual([...asked].toSorted(), sources.map((file) => `/inspect/page/${file}`).toSorted())
})
