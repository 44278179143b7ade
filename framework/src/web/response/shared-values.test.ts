import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Views } from '../../base/templates/views.ts'
import { Server } from '../server/server.ts'

test('what a middleware shares is in every view of the answer, and the data of a view wins', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shared-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'errors'))
  const template = '<%= it.name %> in <%= it.town %>'
  writeFileSync(join(folder, 'home.template.html'), template)
  writeFileSync(join(folder, 'errors', '404.template.html'), template)
  const server = new Server({ environment: 'production', reporter: null })
  server.configure({ views: new Views(folder) }).use((_request, response, next) => {
    response.share({ name: 'Ada' }).share({ town: 'London' })
    return next()
  })
  server.router.get('/', (_request, response) => response.view('home', { town: 'Turin' }))
  assert.equal((await server.inject({ url: '/' })).text, 'Ada in Turin')
  assert.equal((await server.inject({ url: '/nowhere' })).text, 'Ada in London')
})
