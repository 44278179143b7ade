import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Csrf } from '../../src/http/middlewares/csrf.ts'
import { Forms } from '../../src/http/middlewares/forms.ts'
import type { UploadOptions } from '../../src/http/request/upload-options.ts'
import type { Request } from '../../src/http/request/request.ts'
import type { InjectedResponse, InjectedRequest } from '../../src/http/server/inject.ts'
import { Server } from '../../src/http/server/server.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import { FormSite } from '../support/form-site.ts'
import { encode, field, file, uploadsOf } from '../support/multipart-form.ts'
import type { Part } from '../support/multipart-form.ts'
import { waitFor } from '../support/wait-for.ts'

const json = { accept: 'application/json' }

function multipart(...parts: readonly Part[]): Pick<InjectedRequest, 'method' | 'body'> & {
  readonly headers: Readonly<Record<string, string>>
} {
  const headers = { 'content-type': 'multipart/form-data; boundary=B', ...json }
  return { method: 'POST', headers, body: encode(...parts) }
}

/** A server with one route that accepts files and one that does not. */
function serverOf(uploads: UploadOptions): Server {
  const server = new Server({ environment: 'production', reporter: null })
  server.router.post('/files', async (request) => (await request.form()).files.length, { uploads })
  server.router.post('/fields', async (request) => (await request.form()).files.length)
  return server
}

const outcome = (answer: InjectedResponse): unknown[] => [answer.status, answer.json()]

test('only a route that declares files takes them; elsewhere a file is a 415 and never stored', async (t) => {
  const uploads = await uploadsOf(t)
  const server = serverOf({})
  const form = multipart(field('a', '1'), file('photo', 'a.png', 'x'.repeat(2000)))
  assert.deepEqual(outcome(await server.inject({ url: '/files', ...form })), [200, 1])
  while (readdirSync(uploads).length > 0) await new Promise(setImmediate)
  // From here on, storing anything would fail with a 500.
  await rm(uploads, { recursive: true })
  const refused = await server.inject({ url: '/fields', ...form })
  assert.deepEqual(outcome(refused), [415, { error: 'Unsupported Media Type' }])
  assert.equal(refused.headers['connection'], 'close')
  const empty = multipart(field('a', '1'), file('photo', '', ''))
  assert.deepEqual(outcome(await server.inject({ url: '/fields', ...empty })), [200, 0])
})

test('a route limits number, size, total and types of its files, and says so', async (t) => {
  await uploadsOf(t)
  const server = serverOf({ files: 2, bytes: 100, total: 150, types: ['text/*', 'image/png'] })
  const send = async (...parts: Part[]): Promise<unknown[]> =>
    outcome(await server.inject({ url: '/files', ...multipart(...parts) }))
  const small = file('f', 'a', 'x')
  assert.deepEqual(await send(small, small), [200, 2])
  const many = { error: 'at most 2 files are accepted' }
  assert.deepEqual(await send(small, small, small), [413, many])
  const large = { error: 'a file may have at most 100 bytes' }
  assert.deepEqual(await send(file('f', 'a', 'x'.repeat(101))), [413, large])
  const both = file('f', 'a', 'x'.repeat(76))
  const total = { error: 'files may have at most 150 bytes together' }
  assert.deepEqual(await send(both, both), [413, total])
  const head = 'Content-Disposition: form-data; name="f"; filename="a"\r\nContent-Type: image/gif'
  const types = { error: 'accepted types of files: text/*, image/png' }
  assert.deepEqual(await send({ head, content: 'x' }), [415, types])
})

test('beyond the upload budget the answer is 503 with Retry-After, until other uploads are over', async (t) => {
  await uploadsOf(t)
  const server = serverOf({}).configure({ uploadBudget: 1000 })
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const hold = async (request: Request): Promise<number> => {
    const { files } = await request.form()
    entered.resolve()
    await gate.promise
    return files.length
  }
  server.router.post('/slow', hold, { uploads: {} })
  const form = multipart(file('f', 'a', 'x'.repeat(600)))
  const first = server.inject({ url: '/slow', ...form })
  await entered.promise
  const refused = await server.inject({ url: '/files', ...form })
  assert.deepEqual(outcome(refused), [503, { error: 'Service Unavailable' }])
  assert.equal(refused.headers['retry-after'], '10')
  gate.resolve()
  assert.deepEqual(outcome(await first), [200, 1])
  const accepted = await waitFor('room for another upload', async () => {
    const answer = await server.inject({ url: '/files', ...form })
    return answer.status !== 503 && answer
  })
  assert.deepEqual(outcome(accepted), [200, 1])
})

/** A server that reads every form it may, and keeps its requests. */
function reading(): { readonly server: Server; readonly seen: Request[] } {
  const seen: Request[] = []
  const server = new Server({ environment: 'production', reporter: null })
  server.use((request, _response, next) => {
    seen.push(request)
    return next()
  })
  server.use(new Sessions(new MemorySessions()), new Csrf({ except: () => true }), new Forms())
  server.router.any('/', async (request) => [
    request.hasBody,
    (await request.form()).pairs.length,
    (await request.bytes().catch(() => 'used')).length,
  ])
  return { server, seen }
}

test('the body of a safe request counts as empty and is not read', async () => {
  const { server, seen } = reading()
  const form = multipart(field('a', '1'), file('f', 'a', 'x'))
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    const answer = await server.inject({ url: '/', ...form, method })
    assert.ok(answer.status < 300, method)
    if (method === 'GET') assert.deepEqual(answer.json(), [false, 0, 4])
    assert.equal(seen.at(-1)?.stream.readableDidRead, false, method)
  }
})

test('the body of a request without a route is not read', async () => {
  const { server, seen } = reading()
  for (const body of [
    multipart(field('a', '1'), file('f', 'a', 'x')),
    { method: 'POST', body: {} },
  ]) {
    assert.equal((await server.inject({ url: '/nowhere', ...body })).status, 404)
    assert.equal(seen.at(-1)?.stream.readableDidRead, false)
    assert.equal((await server.inject({ url: '/', ...body, method: 'PURGE' })).status, 405)
    assert.equal(seen.at(-1)?.stream.readableDidRead, false)
  }
})

/** A site with CSRF protection and a route that accepts files. */
function protectedSite(): FormSite {
  const site = new FormSite()
  const count = ({ files }: Request): number => files.length
  site.server.router.post('/photos', count, { uploads: {} })
  return site
}

test('behind Csrf the token comes before the files or in the header', async (t) => {
  await uploadsOf(t)
  const site = protectedSite()
  const ada = site.visitor()
  const token = await ada.token()
  const photo = file('photo', 'a.png', 'x')
  const first = await ada.send('/photos', multipart(field('_token', token), photo))
  assert.deepEqual(outcome(first), [200, 1])
  const { headers, ...form } = multipart(photo)
  const byHeader = { ...form, headers: { ...headers, 'x-csrf-token': token } }
  assert.deepEqual(outcome(await ada.send('/photos', byHeader)), [200, 1])
})

test('a file before the token, or after a wrong one, ends the request and is never stored', async (t) => {
  // Storing anything would fail with a 500.
  await rm(await uploadsOf(t), { recursive: true })
  const site = protectedSite()
  const [ada, eve] = [site.visitor(), site.visitor()]
  const [token, foreign] = [await ada.token(), await eve.token()]
  const photo = file('photo', 'a.png', 'x'.repeat(100_000))
  for (const parts of [
    [photo, field('_token', token)],
    [field('_token', foreign), photo],
    [field('_token', ''), photo, field('_token', token), photo],
    [photo],
  ]) {
    const answer = await ada.send('/photos', multipart(...parts))
    assert.deepEqual(outcome(answer), [403, { error: 'Invalid CSRF token' }])
    assert.equal(answer.headers['connection'], 'close')
  }
  assert.deepEqual(site.reported, [])
})

test('a browser whose form has expired gets it back with the fields before the file', async (t) => {
  await rm(await uploadsOf(t), { recursive: true })
  const site = protectedSite()
  const ada = site.visitor()
  await ada.token()
  const form = multipart(field('title', 'Notes'), file('photo', 'a.png', 'x'))
  const referer = 'http://localhost/photos?new'
  const headers = { ...form.headers, accept: 'text/html', referer }
  const answer = await ada.send('/photos', { ...form, headers })
  assert.deepEqual([answer.status, answer.headers['location']], [303, '/photos?new'])
  assert.deepEqual(site.reported, [])
})

test('without Csrf, or where a route is exempt, files may come first', async (t) => {
  await uploadsOf(t)
  const form = multipart(file('photo', 'a.png', 'x'), field('a', '1'))
  assert.deepEqual(outcome(await serverOf({}).inject({ url: '/files', ...form })), [200, 1])
  const server = new Server({ environment: 'production', reporter: null })
  const except = ({ route }: Request): boolean => route === '/hook'
  server.use(new Sessions(new MemorySessions()), new Csrf({ except }), new Forms())
  server.router.post('/hook', ({ files }) => files.length, { uploads: {} })
  assert.deepEqual(outcome(await server.inject({ url: '/hook', ...form })), [200, 1])
})

test('an upload that was moved can be read by its owner only, and so can the new folder, whatever the umask', async (t) => {
  const folder = await uploadsOf(t)
  const umask = process.umask(0)
  t.after(() => process.umask(umask))
  const to = join(folder, 'new', 'folder', 'a.png')
  const server = new Server({ environment: 'production', reporter: null })
  const keep = async ({ files }: Request): Promise<string> => {
    await files[0]?.move(to)
    return 'kept'
  }
  server.use(new Forms()).router.post('/', keep, { uploads: {} })
  const form = multipart(file('photo', 'a.png', 'x'))
  assert.equal((await server.inject({ url: '/', ...form })).status, 200)
  const modes = [to, join(folder, 'new', 'folder'), join(folder, 'new')].map(
    (path) => statSync(path).mode & 0o777,
  )
  assert.deepEqual(modes, [0o600, 0o700, 0o700])
})

test('1 MiB of JSON nested too deep is a 400 that says so', async () => {
  const server = new Server({ environment: 'production', reporter: null })
  server.router.post('/', (request) => request.json())
  const headers = { 'content-type': 'application/json', ...json }
  const body = '['.repeat(2 ** 20)
  const answer = await server.inject({ method: 'POST', url: '/', headers, body })
  const error = 'the request body is nested more than 64 levels deep'
  assert.deepEqual(outcome(answer), [400, { error }])
  const other = new Server({ environment: 'production', reporter: null })
  other.configure({ limits: { jsonDepth: 2 } }).router.post('/', (request) => request.json())
  const nested = { method: 'POST', url: '/', headers }
  assert.equal((await other.inject({ ...nested, body: '[[1]]' })).status, 200)
  assert.equal((await other.inject({ ...nested, body: '[[[1]]]' })).status, 400)
})
