import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { CsrfSite } from './csrf-site.ts'

const form = { host: 'shop.example', referer: 'http://shop.example/form?text=a%20b&page=2#end' }

/** A refusal: its status and redirect. */
function outcome({ status, headers }: InjectedResponse): string {
  return `${status} ${headers['location'] ?? ''}`.trim()
}

test('a refused form redirects to its page, with a message and its input', async (t) => {
  const site = new CsrfSite(t)
  const ada = site.visitor()
  const fields = { _token: 'old', email: 'ada@example.org', title: 'Notes' }
  const secrets = { password: 'a', password_confirmation: 'b', current: 'c', api_key: 'd' }
  const refused = await ada.post({ ...fields, ...secrets }, form)
  assert.equal(outcome(refused), '303 /form?text=a%20b&page=2')
  assert.deepEqual((await ada.ask('/flashes')).json(), {
    message: 'This form has expired. Please send it again.',
    expired: '/save',
    old: { email: 'ada@example.org', title: 'Notes' },
  })
  assert.deepEqual(site.changes, [])
  assert.equal((await ada.post({ ...fields, _token: await ada.token() })).status, 200)
})

test('a multipart form is sent back too, without its files', async (t) => {
  const ada = new CsrfSite(t).visitor()
  const data = new FormData()
  data.append('title', 'Notes')
  data.append('file', new File(['x'], 'x.txt'))
  const encoded = new Response(data)
  const headers = { ...form, 'content-type': encoded.headers.get('content-type') ?? '' }
  const body = new Uint8Array(await encoded.arrayBuffer())
  assert.match(outcome(await ada.ask('/save', { method: 'POST', headers, body })), /^303 /)
  const { old } = Object(JSON.parse((await ada.ask('/flashes')).text))
  assert.deepEqual(old, { title: 'Notes' })
})

test('a form without fields is sent back too', async (t) => {
  const ada = new CsrfSite(t).visitor()
  assert.match(outcome(await ada.ask('/save', { method: 'POST', headers: form })), /^303 /)
})

test('it redirects only to pages of the same site', async (t) => {
  const site = new CsrfSite(t, {
    csrf: { origins: ['https://admin.shop.example'] },
    server: { url: 'https://www.shop.example' },
  })
  const back = async (referer: string): Promise<string> =>
    outcome(await site.visitor().post({}, { host: 'shop.example', referer }))
  assert.equal(await back('https://shop.example/form'), '303 /form')
  assert.equal(await back('https://www.shop.example/form'), '303 /form')
  assert.equal(await back('https://shop.example/form?q=a\\b'), '303 /form?q=a%5Cb')
  for (const referer of [
    '',
    '/form',
    'https://evil.example/form',
    'https://admin.shop.example/form',
    'https://shop.example//evil.example/form',
    'https://shop.example/\\evil.example/form',
    'https://shop.example:8443/form',
    'https://shop.example@evil.example/form',
    `https://shop.example/${'x'.repeat(3000)}`,
    'data:text/html,shop.example',
  ]) {
    assert.equal(await back(referer), '403', referer.slice(0, 60))
  }
})

test('a JSON client gets 403 with only the error', async (t) => {
  const ada = new CsrfSite(t).visitor()
  const answer = await ada.post({}, { ...form, accept: 'application/json' })
  assert.equal(answer.status, 403)
  assert.deepEqual(answer.json(), { error: 'Invalid CSRF token' })
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['vary'], 'Accept')
  assert.deepEqual(answer.cookies, [])
  const problem = await ada.post({}, { ...form, accept: 'application/problem+json' })
  assert.equal(problem.headers['content-type'], 'application/problem+json')
  const { status, detail } = Object(problem.json())
  assert.deepEqual([status, detail], [403, 'Invalid CSRF token'])
})

test('a script gets the status, since it would follow a redirect without noticing', async (t) => {
  const ada = new CsrfSite(t).visitor()
  const scripted = { ...form, 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }
  assert.equal(outcome(await ada.post({}, scripted)), '403')
  assert.match(outcome(await ada.post({}, { ...form, 'sec-fetch-mode': 'navigate' })), /^303 /)
  const json = await ada.ask('/save', { method: 'POST', headers: form, body: {} })
  assert.equal(outcome(json), '403')
})

test('a cross-site request is refused outright, and leaves nothing in the session', async (t) => {
  const ada = new CsrfSite(t).visitor()
  const answer = await ada.post({ title: 'x' }, { ...form, origin: 'https://evil.example' })
  assert.equal(outcome(answer), '403')
  assert.match(answer.text, /<h1>403<\/h1><p>Forbidden<\/p><p>Invalid CSRF token<\/p>/)
  assert.deepEqual(answer.cookies, [])
})

test('the reason is shown only to developers on this machine', async (t) => {
  const evil = { host: 'localhost', origin: 'https://evil.example' }
  const development = new CsrfSite(t, { environment: 'development' })
  const told = await development.visitor().post({}, evil)
  assert.match(told.text, /Invalid CSRF token: its origin https:\/\/evil\.example/)
  const json = await development.visitor().post({}, { ...evil, accept: 'application/json' })
  assert.deepEqual(json.json(), { error: 'Invalid CSRF token' })
  const accept = 'application/problem+json'
  const problem = await development.visitor().post({}, { ...evil, accept })
  assert.match(Object(problem.json()).detail, /^Invalid CSRF token: its origin /)
  const remote = await development
    .visitor()
    .ask('/save', { method: 'POST', headers: evil, address: '192.0.2.1' })
  const production = await new CsrfSite(t).visitor().post({}, evil)
  for (const { text } of [remote, production]) assert.doesNotMatch(text, /evil/)
})
