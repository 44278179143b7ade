import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Views } from '../../base/templates/views.ts'
import { RateLimit } from '../middlewares/rate-limit.ts'
import { Server } from '../server/server.ts'

test('values shared by a middleware are in every view of the response, and the data of a view takes precedence', async (t) => {
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

test('globals are in every view, and everything else wins over them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'globals-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'errors'))
  const template = '<%= it.name %> in <%= it.town %>'
  writeFileSync(join(folder, 'home.template.html'), template)
  writeFileSync(join(folder, 'errors', '429.template.html'), template)
  const server = new Server({ environment: 'production', reporter: null })
  server.configure({ views: new Views(folder) }).globals({ name: 'Ada', town: 'London' })
  server.use((_request, response, next) => {
    response.share({ town: 'Paris' })
    return next()
  })
  // What runs before the middlewares of the server, as limits do, has them as well.
  const limit = new RateLimit({ limit: 2, window: 60 })
  server.router.get('/', (request, response) => response.view('home', request.query), {
    middlewares: [limit],
  })
  assert.equal((await server.inject({ url: '/' })).text, 'Ada in Paris')
  assert.equal((await server.inject({ url: '/?town=Turin' })).text, 'Ada in Turin')
  assert.equal((await server.inject({ url: '/' })).text, 'Ada in London')
})
