import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { Authentication } from './authentication.ts'
import type { Guard } from './guard.ts'
import type { RequestIdentity, Request } from '../../http/request/request.ts'
import { Server } from '../../http/server/server.ts'
import { MemorySessions } from '../../http/session/memory-sessions.ts'
import { Sessions } from '../../http/session/sessions.ts'
import { allow, allowFor, PolicyGuard } from './allow.ts'

interface Note {
  readonly id: string
  readonly owner: string
}

const notes: readonly Note[] = [{ id: '1', owner: 'ada' }]
const findNote = (id: string | undefined): Note | undefined => notes.find((one) => one.id === id)
const record = ({ params }: Request): Note | undefined => findNote(String(params['id']))

const mayEdit = async ({ id }: RequestIdentity, note: Note): Promise<boolean> => note.owner === id
const isAda = ({ id }: RequestIdentity): boolean => id === 'ada'

/** The identity that the header says. */
const header: Guard = {
  authenticate: (request) => {
    const id = request.header('x-user')
    request.identity = id === undefined ? null : { id }
    return id !== undefined
  },
}
const signedIn = new Authentication(header, {
  fallback: (_request, response) => response.redirect('/login'),
})

function newServer(): Server {
  const server = new Server({ environment: Environments.Production, reporter: null })
  // Where guests wanted to go is kept in their session.
  return server.use(new Sessions(new MemorySessions()))
}

/** Asks as each of these, null for a guest, and returns the statuses. */
async function statuses(
  server: Server,
  url: string,
  users: readonly (string | null)[] = ['ada', 'bob', null],
): Promise<number[]> {
  const found: number[] = []
  for (const user of users) {
    const headers = { accept: 'text/html', ...(user !== null && { 'x-user': user }) }
    found.push((await server.inject({ url, headers })).status)
  }
  return found
}

test('as a guard it lets through whom the policy allows, and guests go to sign in', async () => {
  const server = newServer()
  server.router.get('/admin', () => 'in', { middlewares: [signedIn, allow(isAda)] })
  assert.deepEqual(await statuses(server, '/admin'), [200, 403, 303])
})

test('a guard with a record: one that is missing is a 404, a refusal a 403, or a 404 if private', async () => {
  const server = newServer()
  const open = [signedIn, allow(mayEdit, { record })]
  const closed = [signedIn, allow(mayEdit, { record, private: true })]
  server.router.get('/open/:id', () => 'in', { middlewares: open })
  server.router.get('/closed/:id', () => 'in', { middlewares: closed })
  assert.deepEqual(await statuses(server, '/open/1'), [200, 403, 303])
  assert.deepEqual(await statuses(server, '/open/2'), [404, 404, 303])
  assert.deepEqual(await statuses(server, '/closed/1'), [200, 404, 303])
  assert.deepEqual(await statuses(server, '/closed/2'), [404, 404, 303])
})

test('in a handler it returns the record, and refuses in the same way', async () => {
  const server = newServer()
  server.router.get(
    '/notes/:id',
    async (request) => (await allow(request, mayEdit, findNote(request.params.id))).owner,
    { middlewares: [signedIn] },
  )
  const closed = { private: true }
  server.router.get(
    '/closed/:id',
    async (request) => (await allow(request, mayEdit, findNote(request.params.id), closed)).id,
    { middlewares: [signedIn] },
  )
  assert.deepEqual(await statuses(server, '/notes/1'), [200, 403, 303])
  assert.deepEqual(await statuses(server, '/notes/2'), [404, 404, 303])
  assert.deepEqual(await statuses(server, '/closed/1'), [200, 404, 303])
})

test('in a handler that is open to guests, a guest gets a 401 with a challenge, or a 404 if private', async () => {
  const server = newServer()
  server.router.get('/admin', async (request) => {
    await allow(request, isAda)
    return 'in'
  })
  server.router.get('/notes/:id', async (request) => {
    await allow(request, mayEdit, findNote(request.params.id), { private: true })
    return 'in'
  })
  const { status, headers } = await server.inject({ url: '/admin' })
  assert.equal(status, 401)
  assert.equal(headers['www-authenticate'], 'Cookie realm="Protected area"')
  assert.deepEqual(await statuses(server, '/notes/1', [null]), [404])
})

test('in a handler behind signedIn.optional, a guest goes to sign in and others are known', async () => {
  const server = newServer()
  server.router.get(
    '/notes/:id',
    async (request) => {
      if (request.params.id === 'public') return 'public'
      return (await allow(request, mayEdit, findNote(request.params.id))).owner
    },
    { middlewares: [signedIn.optional] },
  )
  assert.deepEqual(await statuses(server, '/notes/1'), [200, 403, 303])
  assert.deepEqual(await statuses(server, '/notes/public'), [200, 200, 200])
  const page = await server.inject({ url: '/notes/1?a=b', headers: { accept: 'text/html' } })
  assert.equal(page.headers['location'], '/login')
  assert.equal(page.cookies.length, 1, 'the session keeps where the guest wanted to go')
  const program = await server.inject({ url: '/notes/1', headers: { accept: 'application/json' } })
  assert.deepEqual([program.status, program.json()], [401, { error: 'Unauthorized' }])
  const headers = { 'x-user': 'ada' }
  const known = await server.inject({ url: '/notes/public', headers })
  assert.equal(known.headers['cache-control'], 'no-store')
})

test('signedIn.optional does not stand in for Authentication before a guard', async () => {
  const server = newServer()
  server.router.get('/admin', () => 'in', { middlewares: [signedIn.optional, allow(isAda)] })
  await assert.rejects(async () => server.inject({ url: '/admin' }), { code: 'E_POLICY' })
})

test('anything but true refuses, and a policy that throws lets nobody in', async () => {
  const server = newServer()
  const loose = (): boolean => JSON.parse('"yes"')
  const broken = (): boolean => {
    throw new Error('no database')
  }
  server.router.get('/loose', () => 'in', { middlewares: [signedIn, allow(loose)] })
  server.router.get('/broken', () => 'in', { middlewares: [signedIn, allow(broken)] })
  assert.deepEqual(await statuses(server, '/loose', ['ada']), [403])
  assert.deepEqual(await statuses(server, '/broken', ['ada']), [500])
})

test('policies may be about what belongs to the account, and one without it is refused', async () => {
  const roles = new Map([['ada', { role: 'admin' }]])
  const allowMember = allowFor(async ({ id }) => roles.get(id))
  const isAdmin = ({ role }: { readonly role: string }): boolean => role === 'admin'
  const server = newServer()
  server.router.get('/admin', () => 'in', { middlewares: [signedIn, allowMember(isAdmin)] })
  assert.deepEqual(await statuses(server, '/admin'), [200, 403, 303])
})

test('a refused upload is refused before its body is read', async () => {
  const server = newServer()
  const guard = allow(isAda)
  assert.equal(guard.phase, 'guard')
  server.router.post('/files', () => 'stored', { middlewares: [signedIn, guard] })
  const headers = { 'x-user': 'bob', accept: 'application/json' }
  const response = await server.inject({ method: 'POST', url: '/files', headers, body: {} })
  assert.equal(response.status, 403)
  assert.deepEqual(response.json(), { error: 'You are not allowed to do this.' })
})

test('the route shows the policy and the status of a refusal', () => {
  const server = newServer()
  const middlewares = [signedIn, allow(mayEdit, { record, private: true })]
  server.router.get('/notes/:id', () => 'in', { middlewares })
  const guard = server.router.all()[0]?.middlewares.find((one) => one instanceof PolicyGuard)
  assert.deepEqual([guard?.policy, guard?.status], ['mayEdit', 404])
  server.router.get('/open', () => 'in', { middlewares: [signedIn, allow(() => true)] })
  assert.deepEqual(
    server.router.routes().map((route) => route.middlewares),
    [
      ['Authentication', 'PolicyGuard(mayEdit)'],
      ['Authentication', 'PolicyGuard'],
    ],
  )
})

test('without Authentication before it, the server does not start', async () => {
  const server = newServer()
  server.router.get('/admin', () => 'in', { middlewares: [allow(isAda)] })
  await assert.rejects(async () => server.inject({ url: '/admin' }), {
    code: 'E_POLICY',
    message: /^allow\(isAda\) looks at signed-in users; put Authentication before it/,
  })
})
