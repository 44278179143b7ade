import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unmaskToken } from '../../src/http/middlewares/csrf-token.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import type { SessionRow } from '../../src/http/session/session-store.ts'
import { CsrfSite, tokenIn } from './csrf-site.ts'

test('a form with the token of its page passes', async (t) => {
  const site = new CsrfSite(t)
  const ada = site.visitor()
  const _token = await ada.token()
  const answer = await ada.post({ _token, title: 'Notes' })
  assert.equal(answer.text, 'saved')
  assert.deepEqual(site.changes, [{ _token, title: 'Notes' }])
})

test('a script sends the token in X-CSRF-Token, with any body', async (t) => {
  const site = new CsrfSite(t)
  const ada = site.visitor()
  const token = /content="([^"]*)"/.exec((await ada.ask('/script')).text)?.[1] ?? ''
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const headers = { 'x-csrf-token': token }
    const answer = await ada.ask('/save', { method, headers, body: { method } })
    assert.equal(answer.status, 200, method)
  }
  assert.equal(site.changes.length, 4)
  const form = { method: 'POST', headers: { 'x-csrf-token': token } }
  const answer = await ada.ask('/save', { ...form, body: new URLSearchParams({ title: 'Notes' }) })
  assert.equal(answer.status, 200, 'a form without the field')
})

test('nothing passes without the token of the same session', async (t) => {
  const site = new CsrfSite(t)
  const [ada, eve] = [site.visitor(), site.visitor()]
  const token = await ada.token()
  const foreign = await eve.token()
  const tampered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
  const bare = unmaskToken(token)?.toString('base64url') ?? ''
  for (const _token of ['', foreign, tampered, bare, token.slice(1), 'x'.repeat(100_000)]) {
    assert.equal((await ada.post({ _token })).status, 403, _token.slice(0, 100))
  }
  assert.equal((await ada.post({})).status, 403)
  assert.equal((await ada.ask(`/save?_token=${token}`, { method: 'POST' })).status, 403)
  const inBody = { method: 'POST', body: { _token: token } }
  assert.equal((await ada.ask('/save', inBody)).status, 403)
  assert.equal((await site.visitor().post({ _token: token })).status, 403)
  assert.deepEqual(site.changes, [])
})

test('each page masks the token differently, and every mask is valid', async (t) => {
  const site = new CsrfSite(t)
  const ada = site.visitor()
  const tokens = [await ada.token(), await ada.token(), await ada.token()]
  assert.equal(new Set(tokens).size, 3)
  const [first, ...others] = tokens.map(unmaskToken)
  assert.equal(first?.length, 32)
  for (const other of others) assert.deepEqual(other, first)
  for (const _token of tokens) assert.equal((await ada.post({ _token })).status, 200)
})

test('a page without a form uses no session and sends no cookie', async (t) => {
  const site = new CsrfSite(t)
  const ada = site.visitor()
  const { cookies, headers } = await ada.ask('/plain')
  assert.deepEqual(cookies, [])
  assert.equal(headers['vary'], undefined)
  assert.equal(headers['cache-control'], undefined)
})

test('shared caches do not store a page with a form', async (t) => {
  const ada = new CsrfSite(t).visitor()
  const { headers } = await ada.ask('/form')
  assert.equal(headers['cache-control'], 'private, no-cache')
  assert.equal((await ada.ask('/form')).headers['cache-control'], 'private, no-cache')
})

test('the token changes with the session id', async (t) => {
  const site = new CsrfSite(t)
  const ada = site.visitor()
  const before = await ada.token()
  const { cookie } = ada
  await ada.ask('/sign-in')
  assert.notEqual(ada.cookie, cookie)
  assert.equal((await ada.post({ _token: before })).status, 403)
  const after = await ada.token()
  assert.notDeepEqual(unmaskToken(after), unmaskToken(before))
  assert.equal((await ada.post({ _token: after })).status, 200)
  await ada.ask('/sign-out')
  assert.equal((await ada.post({ _token: after })).status, 403)
})

test('safe requests need no token', async (t) => {
  const ada = new CsrfSite(t).visitor()
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    assert.ok((await ada.ask('/form', { method, headers })).status < 300, method)
  }
})

test('exempt requests need no token', async (t) => {
  const site = new CsrfSite(t, {
    csrf: { except: ({ route, type }) => route === '/save' && type !== '' },
  })
  const ada = site.visitor()
  assert.equal((await ada.post({ paid: '1' })).status, 200)
  assert.equal((await ada.ask('/save', { method: 'POST' })).status, 403)
})

test('no text on a page is mistaken for the token placeholder', async (t) => {
  const ada = new CsrfSite(t).visitor()
  const { text } = await ada.ask('/form?text=csrf-00000000-0000-4000-8000-000000000000')
  assert.match(text, /<p>csrf-00000000-0000-4000-8000-000000000000<\/p>/)
})

test('a form on an error page works for visitors who already have a token', async (t) => {
  const site = new CsrfSite(t)
  const ada = site.visitor()
  await ada.token()
  const missing = await ada.ask('/nowhere')
  assert.equal(missing.status, 404)
  assert.equal((await ada.post({ _token: tokenIn(missing.text) })).status, 200)
  const stranger = await site.visitor().ask('/nowhere')
  assert.deepEqual([stranger.status, tokenIn(stranger.text), stranger.cookies], [404, '', []])
})

test('while the session store is down, pages with a form are a 503 and others work', async (t) => {
  class Away extends MemorySessions {
    isAway = false
    override read(digest: string): ReturnType<MemorySessions['read']> {
      return this.isAway ? Promise.reject(new Error('away')) : super.read(digest)
    }
  }
  const store = new Away()
  const ada = new CsrfSite(t, { store }).visitor()
  const _token = await ada.token()
  store.isAway = true
  assert.equal((await ada.ask('/form')).status, 503)
  assert.equal((await ada.post({ _token })).status, 503)
  assert.equal((await ada.ask('/plain')).status, 200)
  const missing = await ada.ask('/nowhere')
  assert.deepEqual([missing.status, tokenIn(missing.text)], [404, ''])
})

test('the token on the wire is never the stored one', async (t) => {
  const rows: SessionRow[] = []
  class Watched extends MemorySessions {
    override create(digest: string, row: SessionRow): Promise<boolean> {
      rows.push(row)
      return super.create(digest, row)
    }
  }
  const token = await new CsrfSite(t, { store: new Watched() }).visitor().token()
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes(token))
})
