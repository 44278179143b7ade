import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormSite } from '../../../tests/support/form-site.ts'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { someKey } from '../../../tests/support/some-key.ts'
import { WatchedSessions } from '../../../tests/support/watched-sessions.ts'
import { MemorySessions } from '../session/memory-sessions.ts'

/** A site whose submissions are watched. */
function watched(): { store: WatchedSessions; site: FormSite } {
  const store = new WatchedSessions()
  return { store, site: new FormSite(store, { wait: 0 }) }
}

test('a form costs two writes, and anything else none', async () => {
  const { store, site } = watched()
  const ada = site.visitor()
  const _token = await ada.token()
  await ada.post({ _token }, { 'x-csrf-token': _token })
  await ada.ask('/who')
  assert.deepEqual(store.writes, [])
  await ada.post({ _token })
  assert.deepEqual(store.writes, ['create', 'save'])
})

test('what is stored reveals nothing of the form, the session or the cookies', async () => {
  const { store, site } = watched()
  site.handle = (request, response) => {
    request.session.regenerate()
    request.session.set('identity', '7')
    return response.cookie('device', 'the token of a device').redirect('/account')
  }
  const ada = site.visitor()
  const _token = await ada.token()
  const before = ada.cookies.get('session') ?? ''
  ada.keep(await ada.post({ _token, password: 'correct horse' }))
  await waitFor('the record', () => store.writes.at(-1) === 'save')
  const after = ada.cookies.get('session') ?? ''
  for (const stored of store.texts) {
    const text = stored + Buffer.from(stored, 'base64').toString('latin1')
    for (const secret of [_token, before, after, 'correct horse', 'the token of a device']) {
      assert.ok(!text.includes(secret), secret)
    }
  }
  assert.equal((await site.sessions.list('7')).length, 1)
  site.clock.now += 9
  assert.equal(await site.sessions.sweep(), 0)
  site.clock.now += 1
  assert.equal(await site.sessions.sweep(), 1)
})

test('if the store fails, the form is handled as without the middleware, and the failure is reported', async () => {
  const { store, site } = watched()
  const ada = site.visitor()
  const _token = await ada.token()
  store.failing = 'create'
  assert.equal((await ada.post({ _token })).status, 303)
  assert.equal((await ada.post({ _token })).status, 303)
  assert.equal(site.handled.length, 2)
  assert.match(String(site.reported[0]), /cannot create/)
})

test('an answer that cannot be kept reaches its visitor all the same', async () => {
  const { store, site } = watched()
  const ada = site.visitor()
  const _token = await ada.token()
  store.failing = 'save'
  assert.equal((await ada.post({ _token })).status, 303)
  assert.match(String(await waitFor('a report', () => site.reported[0])), /cannot save/)
})

test('guests of one network share eight rows, whatever they send; an account has a row for each form', async () => {
  const { store, site } = watched()
  for (let at = 0; at < 60; at += 1) {
    const ada = site.visitor()
    await ada.post({ _token: await ada.token(), at: String(at) })
  }
  assert.ok(store.slots.size <= 8, `${store.slots.size} rows`)
  assert.ok(store.slots.size >= 4, `${store.slots.size} rows`)
  site.handle = (request, response) => {
    request.session.set('identity', '7')
    return response.redirect('/account')
  }
  const bob = site.visitor()
  bob.keep(await bob.post({ _token: await bob.token() }))
  store.slots.clear()
  for (let at = 0; at < 20; at += 1) {
    await bob.post({ _token: await bob.token(), at: String(at) })
  }
  assert.equal(store.slots.size, 20)
})

test('at most 8 KB of the response are kept for a guest', async () => {
  const { store, site } = watched()
  const large = { text: 'x'.repeat(7000) }
  site.handle = (request, response) => {
    request.session.flash('old', large)
    return response.redirect('/form')
  }
  const ada = site.visitor()
  const _token = await ada.token()
  assert.equal((await ada.post({ _token })).status, 303)
  assert.equal((await ada.post({ _token })).status, 409)
  assert.ok((store.texts[3]?.length ?? Infinity) < 8300)
  site.handle = (request, response) => {
    request.session.set('identity', '7')
    request.session.flash('old', large)
    return response.redirect('/form')
  }
  ada.keep(await ada.post({ _token: await ada.token() }))
  const again = await ada.token()
  assert.equal((await ada.post({ _token: again })).status, 303)
  assert.equal((await ada.post({ _token: again })).status, 303)
  assert.equal(site.handled.length, 3)
})

test('every hundredth claim of a process drops those that are over', async () => {
  const { site } = watched()
  site.handle = (request) => request.session.set('identity', '7')
  const ada = site.visitor()
  ada.keep(await ada.post({ _token: await ada.token() }))
  const _token = await ada.token()
  for (let at = 0; at < 98; at += 1) await ada.post({ _token, at: String(at) })
  site.clock.now += 60
  await ada.post({ _token, at: 'last' })
  assert.ok((await site.sessions.sweep()) < 10)
})

test('a browser that has yet to hear of its new session gets no third one with its refusal', async () => {
  const site = new FormSite()
  site.handle = (request, response) => {
    request.session.regenerate()
    request.session.set('identity', '7')
    return response.redirect('/account')
  }
  const ada = site.visitor()
  const tokens = [await ada.token(), await ada.token()]
  const headers = { referer: 'http://localhost/login', host: 'localhost', accept: 'text/html' }
  const first = await ada.post({ _token: tokens[0] ?? '' }, headers)
  const late = await ada.post({ _token: tokens[1] ?? '' }, headers)
  assert.deepEqual([late.status, late.headers['location'], late.cookies], [303, '/login', []])
  ada.keep(first)
  assert.equal(await ada.ask('/who'), '7')
})

test('the repeat of a guest gets the cookie of the first response, with its message', async () => {
  const site = new FormSite(new MemorySessions(), { sessions: { key: someKey() } })
  site.handle = (request, response) => {
    request.session.flash('message', 'Invalid credentials.')
    return response.redirect('/login')
  }
  const ada = site.visitor()
  const _token = await ada.token()
  const answers = await Promise.all([ada.post({ _token }), ada.post({ _token })])
  assert.equal(site.handled.length, 1)
  assert.deepEqual(answers[0]?.cookies, answers[1]?.cookies)
  for (const answer of answers) ada.keep(answer)
  const shown = async (): Promise<string[]> => [await ada.ask('/flash'), await ada.ask('/flash')]
  assert.deepEqual(await shown(), ['Invalid credentials.', 'null'])
  ada.keep(await ada.post({ _token }))
  assert.deepEqual(await shown(), ['Invalid credentials.', 'null'])
  assert.equal(site.handled.length, 1)
})
