import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormSite } from '../../../tests/support/form-site.ts'
import type { FormVisitor } from '../../../tests/support/form-site.ts'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { WatchedSessions } from '../../../tests/support/watched-sessions.ts'
import { Authentication } from '../../accounts/guards/authentication.ts'
import { SessionGuard } from '../../accounts/guards/session-guard.ts'
import { RateLimit } from '../middlewares/rate-limit.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { MemorySessions } from '../session/memory-sessions.ts'

const form = '/limited'

/** A site whose form `/limited` allows so many submissions a minute. */
function limited(
  limit: number,
  guards: readonly Authentication[] = [],
  store = new MemorySessions(),
): FormSite {
  const site = new FormSite(store)
  const middlewares = [new RateLimit({ limit, window: 60 }), ...guards]
  site.server.router.post(
    form,
    (request, response) => {
      site.handled.push(request.fields)
      return site.handle(request, response)
    },
    { middlewares },
  )
  return site
}

function post(visitor: FormVisitor, fields: Record<string, string>): Promise<InjectedResponse> {
  return visitor.send(form, { method: 'POST', body: new URLSearchParams(fields) })
}

test('a double click costs one of the limit, and its repeat is not refused by it', async () => {
  const store = new WatchedSessions()
  const site = limited(2, [], store)
  const ada = site.visitor()
  for (const round of [1, 2]) {
    const _token = await ada.token()
    const { promise, resolve } = Promise.withResolvers<void>()
    site.handle = (_request, response) => promise.then(() => response.redirect('/done'))
    const first = post(ada, { _token })
    await waitFor('the first', () => site.handled.length === round)
    const { looks } = store
    const repeats = [post(ada, { _token }), post(ada, { _token })]
    // Six looks later both have seen that the first is being handled.
    await waitFor('the repeats', () => store.looks >= looks + 6)
    resolve()
    assert.deepEqual(
      (await Promise.all([first, ...repeats])).map(({ status, headers }) => [
        status,
        headers['location'],
      ]),
      Array.from({ length: 3 }, () => [303, '/done']),
    )
  }
  assert.equal(site.handled.length, 2)
  assert.equal((await post(ada, { _token: await ada.token() })).status, 429)
  assert.equal(site.handled.length, 2)
})

test('a repeat after the response counts, and above the limit few forms are looked at', async () => {
  const site = limited(2)
  const ada = site.visitor()
  const [first, second] = [await ada.token(), await ada.token()]
  await post(ada, { _token: first })
  assert.equal((await post(ada, { _token: first })).status, 303, 'a late repeat counts')
  assert.equal((await post(ada, { _token: first })).status, 429, 'and is refused')
  assert.equal((await post(ada, { _token: second })).status, 429)
  // A form that cannot be read is a 400 if it is looked at, which no longer happens.
  const headers = { 'content-type': 'multipart/form-data; boundary=B' }
  const broken = await ada.send(form, { method: 'POST', headers, body: '--B\r\nbroken' })
  assert.equal(broken.status, 429)
  assert.equal(site.handled.length, 1)
})

test('a limit that runs behind the comparison of forms refuses at once', async () => {
  const site = new FormSite()
  const late = new RateLimit({ limit: 1, window: 60, phase: 'body' })
  const first = new RateLimit({ limit: 9, window: 60 })
  site.server.router.post(form, () => site.handled.push({}), { middlewares: [first, late] })
  const ada = site.visitor()
  assert.equal((await post(ada, { _token: await ada.token() })).status, 200)
  assert.equal((await post(ada, { _token: await ada.token() })).status, 429)
  assert.equal(site.handled.length, 1)
})

test('a stranger above the limit gets nothing of the first response', async () => {
  const site = limited(1)
  const ada = site.visitor()
  const _token = await ada.token()
  await post(ada, { _token })
  assert.equal((await post(site.visitor(), { _token })).status, 429)
})

test('a repeat gets the first response though a guard no longer knows its session', async () => {
  const members = new Authentication(new SessionGuard(), {
    fallback: (_request, response) => response.redirect('/login'),
  })
  const site = limited(5, [members])
  site.server.router.get('/sign-in', ({ session }) => session.set('identity', '7'))
  site.handle = (request, response) => {
    request.session.regenerate()
    return response.redirect('/done')
  }
  const ada = site.visitor()
  const _token = await ada.token()
  await ada.ask('/sign-in')
  const first = await post(ada, { _token })
  const repeat = await post(ada, { _token })
  assert.deepEqual([repeat.status, repeat.headers['location']], [303, '/done'])
  assert.deepEqual(repeat.cookies, first.cookies)
  assert.equal(site.handled.length, 1)
  const guest = site.visitor()
  const away = await post(guest, { _token: await guest.token() })
  assert.equal(away.headers['location'], '/login')
})
