import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import * as v from 'valibot'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { InvalidInput } from '../errors/invalid-input.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { Server } from '../server/server.ts'
import { MemorySessions } from '../session/memory-sessions.ts'
import { Sessions } from '../session/sessions.ts'
import { succeed, takeMessage } from './form-responses.ts'

const Note = v.object({
  title: v.pipe(v.string(), v.nonEmpty('Please enter a title.')),
  tag: v.optional(v.array(v.pipe(v.string(), v.maxLength(3, 'This tag is too long.'))), []),
})

/** A site with forms, and a browser that sends them. */
class Site {
  readonly server: Server
  readonly reported: unknown[] = []
  #cookie = ''

  constructor({ hasSessions = true } = {}) {
    const throwables = createThrowables()
    throwables.add((error) => this.reported.push(error))
    this.server = new Server({ environment: 'production', throwables, reporter: null })
    this.server.configure({ url: 'https://notes.example' })
    if (hasSessions) this.server.use(new Sessions(new MemorySessions()))
    const { router } = this.server
    router.post(
      '/notes',
      (request, response) => succeed(request, response, { to: '/notes', message: 'Saved.' }),
      { body: Note },
    )
    router.put('/notes/:id<int>', () => '', { body: Note, form: '/notes/:id/edit' })
    router.post('/pages/:name', () => '', { body: Note, form: '/pages/:name/edit' })
    router.post('/by-hand', async (request) => request.validate(Note))
    router.post('/taken', () => {
      throw new InvalidInput([{ path: ['email'], message: 'Already taken.' }])
    })
    router.post('/secret', () => '', {
      body: v.object({ password: v.pipe(v.string(), v.minLength(20), v.email()) }),
    })
    router.get('/flashes', async (request) => ({
      errors: await request.session.flash('errors'),
      old: await request.session.flash('old'),
      message: await takeMessage(request),
    }))
  }

  async post(
    url: string,
    fields: string,
    headers: Record<string, string> = {},
    method = 'POST',
  ): Promise<InjectedResponse> {
    const answer = await this.server.inject({
      method,
      url,
      headers: {
        host: 'notes.example',
        'content-type': 'application/x-www-form-urlencoded',
        referer: 'https://notes.example/notes/new?from=home',
        ...headers,
      },
      body: fields,
    })
    const [cookie = ''] = answer.cookies
    this.#cookie = cookie.split(';', 1)[0] ?? ''
    return answer
  }

  async flashes(): Promise<unknown> {
    const headers = { cookie: this.#cookie, host: 'notes.example' }
    return (await this.server.inject({ url: '/flashes', headers })).json()
  }
}

test('an invalid form goes back to the page it was sent from, with messages and input', async () => {
  const site = new Site()
  const answer = await site.post('/notes', 'title=&tag[]=ok&tag[]=long&password=hunter2&_token=t')
  assert.deepEqual([answer.status, answer.headers['location']], [303, '/notes/new?from=home'])
  assert.deepEqual(await site.flashes(), {
    errors: { title: ['Please enter a title.'], tag: ['This tag is too long.'] },
    old: { title: '', tag: ['ok', 'long'] },
    message: null,
  })
})

test('a declared form is the way back, with the parameters of the route', async () => {
  const site = new Site()
  const { status, headers } = await site.post('/notes/7', 'title=', {}, 'PUT')
  assert.deepEqual([status, headers['location']], [303, '/notes/7/edit'])
})

test('a parameter that would lead to another page is no way back', async () => {
  const site = new Site()
  const [strange, dots] = [
    await site.post("/pages/it's%2Fnew", 'title='),
    await site.post('/pages/%2E%2E', 'title='),
  ]
  assert.equal(strange.headers['location'], '/pages/it%27s%2Fnew/edit')
  assert.deepEqual([dots.status, dots.headers['location'], site.reported], [422, undefined, []])
})

test('request.validate and a thrown InvalidInput lead back, too', async () => {
  const site = new Site()
  assert.equal((await site.post('/by-hand', 'title=')).headers['location'], '/notes/new?from=home')
  const { status } = await site.post('/taken', 'email=ada%40example.org')
  assert.equal(status, 303)
  assert.deepEqual(await site.flashes(), {
    errors: { email: ['Already taken.'] },
    old: { email: 'ada@example.org' },
    message: null,
  })
})

test('a valid form leads on with its message', async () => {
  const site = new Site()
  const { status, headers } = await site.post('/notes', 'title=Milk')
  assert.deepEqual([status, headers['location']], [303, '/notes'])
  const expected = { errors: null, old: null, message: { kind: 'success', text: 'Saved.' } }
  assert.deepEqual(await site.flashes(), expected)
})

for (const [what, headers] of [
  ['another site', { referer: 'https://evil.example/notes/new' }],
  [
    'a path that a browser takes for another site',
    { referer: 'https://notes.example//evil.example' },
  ],
  ['an unknown page', { referer: '' }],
] as const) {
  test(`nobody is sent to ${what}: the response is the page of the status`, async () => {
    const { status, headers: sent, text } = await new Site().post('/notes', 'title=', headers)
    assert.deepEqual([status, sent['location']], [422, undefined])
    assert.match(text, /Please enter a title\./)
  })
}

for (const [what, headers] of [
  ['prefers JSON', { accept: 'application/json' }],
  ['is a script of a page', { 'sec-fetch-mode': 'cors' }],
] as const) {
  test(`a client that ${what} is not sent back`, async () => {
    assert.equal((await new Site().post('/notes', 'title=', headers)).status, 422)
  })
}

test('without sessions the response is the page of the status', async () => {
  const { status, text } = await new Site({ hasSessions: false }).post('/notes', 'title=')
  assert.equal(status, 422)
  assert.match(text, /Please enter a title\./)
})

test('a message that quotes a password is not kept in the session, the others are', async () => {
  const site = new Site()
  await site.post('/secret', 'password=hunter2hunter2')
  const kept = JSON.stringify(await site.flashes())
  assert.doesNotMatch(kept, /hunter2/)
  assert.match(kept, /This value is not valid\./)
  assert.match(kept, /Expected >=20 but received 14/)
})

test('nothing of it is reported', async () => {
  const site = new Site()
  await site.post('/notes', 'title=')
  await site.post('/notes', 'title=', { accept: 'application/json' })
  assert.deepEqual(site.reported, [])
  const error = new InvalidInput([{ path: ['a'], message: 'no: hunter2' }])
  assert.doesNotMatch(inspect(error, { depth: 9 }), /hunter2/)
})
