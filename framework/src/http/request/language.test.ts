import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import * as v from 'valibot'
import { Views } from '../../base/templates/views.ts'
import { defineLanguages } from '../../i18n/languages.ts'
import { Server } from '../server/server.ts'
import { defineRoutes } from '../urls/define-routes.ts'

const en = { hello: 'Hello, {name}', short: 'Too short' } as const
const de = { hello: 'Hallo, {name}', short: 'Zu kurz', 'Not Found': 'Nicht gefunden' }
const views = {
  'home.template.html':
    `<html lang="<%= t.language %>" dir="<%= t.direction %>"><%= t('hello', { name: it.name }) %>` +
    `<a href="<%= route('home') %>">`,
  'errors/404.template.html': '<%= it.text %> <%= t.language %>',
}
const home = '<html lang="de" dir="ltr">Hallo, A&amp;B<a href="/">'

/** A server whose pages exist in English, German and Arabic. */
function serve(t: TestContext, { prefix = false } = {}): Server {
  const folder = mkdtempSync(join(tmpdir(), 'languages-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'errors'))
  for (const [file, text] of Object.entries(views)) writeFileSync(join(folder, file), text)
  const server = new Server({ environment: 'production', reporter: null })
  const languages = defineLanguages({ default: 'en', messages: { en, de, ar: {} }, prefix })
  server.configure({ views: new Views(folder) }).languages(languages)
  server.urls(defineRoutes({ home: '/' }))
  server.router.get('/', (_request, response) => response.view('home', { name: 'A&B' }), {
    name: 'home',
  })
  server.router.get('/path', (request) => `${request.path} ${request.search} ${request.language}`)
  server.router.get('/member', (request) => {
    request.identity = { id: '1', language: 'de' }
    return languages.of(request)('hello', { name: 'Ada' })
  })
  server.router.post('/', (_request, response) => response.redirect('/path?a=1'))
  const body = v.object({ a: v.pipe(v.string(), v.minLength(3, 'short')) })
  server.router.post('/short', () => 'ok', { body })
  return server
}

test('a page is in the language of the cookie, or else in the one that the browser prefers', async (t) => {
  const server = serve(t)
  const preferred = await server.inject({ url: '/', headers: { 'accept-language': 'de-AT, en' } })
  assert.equal(preferred.text, home)
  assert.equal(preferred.headers['content-language'], 'de')
  assert.equal(preferred.headers['vary'], 'Accept-Language, Cookie')
  const chosen = { 'accept-language': 'de', cookie: 'language=ar' }
  const arabic = await server.inject({ url: '/', headers: chosen })
  assert.match(arabic.text, /<html lang="ar" dir="rtl">Hello, A&amp;B/)
  const invalid = { 'accept-language': 'de', cookie: 'language=../x' }
  assert.equal((await server.inject({ url: '/', headers: invalid })).text, home)
})

test('the account comes before the cookie', async (t) => {
  const headers = { cookie: 'language=ar' }
  assert.equal((await serve(t).inject({ url: '/member', headers })).text, 'Hallo, Ada')
})

test('error pages and the messages of schemas are in the language of the request', async (t) => {
  const server = serve(t)
  const headers = { 'accept-language': 'de', accept: 'text/html' }
  assert.equal((await server.inject({ url: '/no', headers })).text, 'Nicht gefunden de')
  const { text } = await server.inject({
    url: '/short',
    method: 'POST',
    headers: { 'accept-language': 'de', 'content-type': 'application/json' },
    body: '{"a":"x"}',
  })
  assert.match(text, /"detail":"Zu kurz"/)
})

test('an address that begins with a language is the same page in it, and its links stay in it', async (t) => {
  const server = serve(t, { prefix: true })
  const page = await server.inject({ url: '/de', headers: { 'accept-language': 'ar' } })
  assert.equal(page.text, home.replace('href="/"', 'href="/de/"'))
  assert.equal(page.headers['vary'], undefined)
  // Pages without a language in their address follow it.
  assert.match(
    String(page.headers['set-cookie']),
    /^language=de; (?=.*Max-Age=31536000)(?=.*Path=\/)/,
  )
  assert.equal((await server.inject({ url: '/de/path?b=2' })).text, '/path ?b=2 de')
  assert.equal((await server.inject({ url: '/path?b=2' })).text, '/path ?b=2 en')
  assert.equal((await server.inject({ url: '/fr/path' })).status, 404)
  const { headers } = await server.inject({ url: '/de', method: 'POST' })
  assert.equal(headers['location'], '/de/path?a=1')
})

test('without that option such an address is any other', async (t) => {
  assert.equal((await serve(t).inject({ url: '/de/path' })).status, 404)
})

test('a view that names a message which no language has is found at the start', async (t) => {
  const server = serve(t)
  const folder = mkdtempSync(join(tmpdir(), 'languages-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'page.template.html'), `\n<%= t("helo", { name: 'x' }) %>`)
  server.configure({ views: new Views(folder) })
  assert.throws(() => void server.inject({ url: '/' }), {
    code: 'E_TEMPLATE_COMPILE',
    message: /page\.template\.html:2\b[^]*there is no message 'helo' in any language/,
  })
})

test('times are in the zone of the account, or else of the server', async (t) => {
  const server = new Server({ environment: 'production', reporter: null })
  server.configure({ timeZone: 'America/New_York' })
  server.router.get('/:zone', (request) => {
    request.identity = { id: '1', timezone: request.params.zone }
    return `${request.timeZone} ${request.t.time(1_761_352_200)}`
  })
  const show = async (zone: string): Promise<string> => (await server.inject({ url: zone })).text
  assert.equal(await show('/Europe%2FBerlin'), 'Europe/Berlin 2025-10-25 02:30 UTC+2')
  assert.equal(await show('/Europe%2FBonn'), 'America/New_York 2025-10-24 20:30 UTC-4')
  t.after(() => server.close())
  assert.throws(() => new Server().configure({ timeZone: 'Europe/Bonn' }), {
    message: /"timeZone" must be a time zone such as Europe\/Berlin, got "Europe\/Bonn"/,
  })
})
