import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { mailerFrom } from '../../mail/mail-settings.ts'
import type { MailContext } from '../../mail/mail-settings.ts'
import { Recorder } from '../inspector/recorder.ts'
import { Message } from '../../mail/message.ts'
import type { MessageOptions } from '../../mail/message.ts'
import { SecureHeaders } from '../../http/middlewares/secure-headers.ts'
import type { InjectedResponse } from '../../http/server/inject.ts'
import { Server } from '../../http/server/server.ts'
import { rowEvents } from '../row-events.ts'
import { MailFolder } from './mail-folder.ts'
import { listedMails } from './mail-pages.ts'
import { MailPreview } from './mail-preview.ts'

const settings = {
  host: '',
  port: null,
  secure: 'starttls',
  username: '',
  password: '',
  queue: false,
  from: 'shop@example.org',
} as const

interface Preview {
  readonly folder: string
  readonly deliver: (options?: Partial<MessageOptions>) => Promise<void>
  readonly get: (
    url: string,
    address?: string,
    headers?: Record<string, string>,
  ) => Promise<InjectedResponse>
}

function preview(t: TestContext, context: Partial<MailContext> = {}): Preview {
  const root = mkdtempSync(join(tmpdir(), 'framework-mail-preview-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  let now = 1_700_000_000
  const mailer = mailerFrom(
    settings,
    { root, environment: 'development', ...context },
    { clock: () => now++ },
  )
  const server = new Server({ environment: 'production', reporter: null })
    .use(new SecureHeaders())
    .mount([MailPreview], { mailer })
  return {
    folder: join(root, 'storage/mails'),
    deliver: async (options = {}) => {
      const message = { to: 'ada@example.org', subject: 'Hello', text: 'Hi', ...options }
      assert.equal(await mailer.deliver(new Message(message)), true)
    },
    get: (url, address = '127.0.0.1', headers = {}) => server.inject({ url, address, headers }),
  }
}

/** Name of the file of the only mail; the clock moves on for the date and for the file. */
const only = '1700000001-0001'

test('the list shows mails, newest first', async (t) => {
  const { deliver, get } = preview(t)
  await deliver({ subject: 'First' })
  await deliver({ subject: 'Second & <b>last</b>' })
  const { status, text } = await get('/mails')
  assert.equal(status, 200)
  assert.match(text, /Second &amp; &lt;b&gt;last&lt;\/b&gt;[\s\S]*First/)
  assert.match(text, /href="\/mails\/1700000001-0001" data-cell>First</)
  assert.match(text, /2023-11-14 22:13:21 UTC/)
  assert.match(text, /2 mails in storage\/mails/)
})

test('without mails, or without the folder, the list says so', async (t) => {
  const { get } = preview(t)
  assert.match((await get('/mails')).text, /No mails yet/)
})

test('mails are sorted by number, and other files are ignored', async (t) => {
  const { folder, get } = preview(t)
  mkdirSync(folder, { recursive: true })
  for (const name of ['9-0002', '9-0010', '10-0001']) {
    writeFileSync(join(folder, `${name}.eml`), `Subject: mail ${name}\r\n\r\n`)
  }
  for (const name of ['.9-0003', 'x.eml', '9-0004.txt']) {
    writeFileSync(join(folder, name), 'Subject: no mail\r\n\r\n')
  }
  const { text } = await get('/mails')
  assert.match(text, /mail 10-0001[\s\S]*mail 9-0010[\s\S]*mail 9-0002/)
  assert.match(text, /3 mails in/)
  assert.doesNotMatch(text, /no mail/)
})

test('of very many mails the newest are shown, and all are counted', async (t) => {
  const { folder, get } = preview(t)
  mkdirSync(folder, { recursive: true })
  for (let at = 1; at <= 205; at += 1) {
    writeFileSync(join(folder, `${at}-0001.eml`), `Subject: mail ${at}\r\n\r\n`)
  }
  const { text } = await get('/mails')
  assert.match(text, /205 mails in storage\/mails, showing the newest 200/)
  // With the head and the template for more.
  assert.equal(text.match(/<tr>/g)?.length, 202)
  assert.doesNotMatch(text, /mail 5</)
})

test('a mail is shown with its parts, everything escaped', async (t) => {
  const { deliver, get } = preview(t)
  await deliver({
    to: { address: 'ada@example.org', name: '<Ada>' },
    bcc: 'eve@example.org',
    subject: '"<script>alert(1)</script>"',
    text: 'Open https://shop.example/verify/a/b?x=1&y=2.\n<script>alert(2)</script>',
    html: '<p>Hi</p>',
    attachments: [{ name: '<img>.pdf', content: 'pdf' }],
  })
  const { status, text, headers } = await get(`/mails/${only}`)
  assert.equal(status, 200)
  assert.doesNotMatch(text, /<script|<img|<Ada>/)
  assert.match(text, /&quot;&lt;Ada&gt;&quot; &lt;ada@example\.org&gt;/)
  assert.match(text, /Delivered to<\/dt><dd>ada@example\.org, eve@example\.org/)
  assert.match(
    text,
    /<a href="https:\/\/shop\.example\/verify\/a\/b\?x=1&amp;y=2" target="_blank" rel="noreferrer">/,
  )
  assert.match(text, /<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/)
  assert.match(text, /attachments\/0">&lt;img&gt;\.pdf/)
  assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'nonce-/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
})

test('a mail can be found by its Message-ID', async (t) => {
  const { deliver, folder, get } = preview(t)
  await deliver()
  const source = readFileSync(join(folder, `${only}.eml`), 'utf8')
  const message = /^Message-ID: <(.*)>$/im.exec(source)?.[1] ?? ''
  const { status, headers } = await get(`/mails/of/${encodeURIComponent(message)}`)
  assert.equal(status, 303)
  assert.equal(headers['location'], `/mails/${only}`)
  assert.equal((await get('/mails/of/nobody@example.org')).status, 404)
})

test('a mail links to what sent it while that is recorded', async (t) => {
  const { deliver, get } = preview(t)
  await deliver()
  assert.doesNotMatch((await get(`/mails/${only}`)).text, /\/inspect/)
  t.after(new Recorder(() => {}, 0).start())
  assert.match((await get(`/mails/${only}`)).text, /<a href="\/inspect\?q=[\w-]+%40example\.org">/)
})

test('the HTML of a mail runs no script, is of no origin and loads nothing', async (t) => {
  const { deliver, get } = preview(t)
  await deliver({
    html: '<!doctype html><html><head><title>x</title></head><img src="cid:logo"><img src="cid:none">',
    attachments: [{ name: 'logo.png', content: Buffer.from('png'), cid: 'logo' }],
  })
  const { text, headers } = await get(`/mails/${only}/html`)
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/)
  assert.doesNotMatch(policy, /script-src|allow-scripts|allow-same-origin|img-src [^;]*http/)
  assert.match(policy, /frame-ancestors 'self'/)
  assert.equal(headers['cross-origin-opener-policy'], 'unsafe-none')
  assert.match(text, /^<!doctype html><html><head><base target="_blank"><title>x<\/title>/)
  assert.match(text, /<img src="data:image\/png;base64,cG5n"><img src="cid:none">/)
})

test('a mail can be looked at on a phone and in the dark, whatever the browser prefers', async (t) => {
  const { deliver, get } = preview(t)
  const media = (name: string): string =>
    `@media (prefers-color-scheme: ${name}) { a { color: red } }`
  const html = `<head><style>${media('dark')}${media('light')}</style></head>Hi`
  await deliver({ html })
  for (const [query, isDark] of [
    ['', false],
    ['?scheme=dark', true],
    ['?scheme=blue', false],
  ] as const) {
    const { text } = await get(`/mails/${only}/html${query}`)
    const [on, off] = ['@media (min-width: 0)', '@media (max-width: 0)']
    const [dark, light] = isDark ? [on, off] : [off, on]
    assert.ok(text.includes(`<style>${dark} { a { color: red } }${light} { a`), text)
    assert.match(text, isDark ? /color-scheme: dark !important/ : /color-scheme: light !important/)
  }
  const { text } = await get(`/mails/${only}?width=phone&scheme=dark`)
  assert.match(text, /<iframe class="card phone dark" [^>]*\/html\?scheme=dark"/)
  const links = Array.from(text.matchAll(/\?(width=\w+&amp;scheme=\w+)"( aria-current)?/g))
  assert.deepEqual(
    links.map(([, to, isCurrent]) => [to, isCurrent !== undefined]),
    [
      ['width=desktop&amp;scheme=dark', false],
      ['width=phone&amp;scheme=dark', true],
      ['width=phone&amp;scheme=light', false],
      ['width=phone&amp;scheme=dark', true],
    ],
  )
})

test('an open list gets a mail as soon as it is written', async (t) => {
  const { deliver, folder, get } = preview(t)
  const mails = new MailFolder(folder)
  const page = new AbortController()
  const events = rowEvents(
    { rows: () => mails.list(9).then(listedMails), change: () => mails.change() },
    page.signal,
  )
  assert.deepEqual((await events.next()).value.data, { count: '', rows: [] })
  const before = await mails.change()
  await deliver({ subject: '' })
  assert.notEqual(await mails.change(), before)
  const { data } = (await events.next()).value
  assert.deepEqual(data, {
    count: '1 mail in storage/mails',
    rows: [[`/mails/${only}`, '2023-11-14 22:13:21 UTC', 'ada@example.org', '(no subject)']],
  })
  const { headers, text } = await get('/mails/rows')
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  assert.deepEqual(JSON.parse(text), data)
})

test('links open new windows in HTML without a head too', async (t) => {
  for (const [html, expected] of [
    ['<p>Hi', '<base target="_blank"><p>Hi'],
    ['<!DOCTYPE html><p>Hi', '<!DOCTYPE html><base target="_blank"><p>Hi'],
    ['<header>Hi', '<base target="_blank"><header>Hi'],
  ] as const) {
    const { deliver, get } = preview(t)
    await deliver({ html })
    assert.equal((await get(`/mails/${only}/html`)).text.trim(), expected)
  }
})

test('the source and the files of a mail are sent so that browsers do not run them', async (t) => {
  const { deliver, get } = preview(t)
  await deliver({ attachments: [{ name: 'größe.html', content: '<script>1</script>' }] })
  const source = await get(`/mails/${only}/source`)
  assert.equal(source.headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(source.text, /^Return-Path: <shop@example\.org>\r\nDelivered-To: ada@example\.org/)
  const file = await get(`/mails/${only}/attachments/0`)
  assert.equal(file.text, '<script>1</script>')
  assert.equal(file.headers['content-type'], 'application/octet-stream')
  assert.match(file.headers['content-disposition'] ?? '', /^attachment; .*gr%C3%B6%C3%9Fe\.html/)
  for (const { headers } of [source, file]) {
    assert.match(headers['content-security-policy'] ?? '', /^sandbox /)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
})

for (const path of [
  '/mails/1-1',
  '/mails/1-1/html',
  '/mails/1-1/source',
  `/mails/${only}/html`,
  `/mails/${only}/attachments/0`,
  `/mails/${only}.eml`,
  '/mails/..%2f..%2fpackage.json',
  '/mails/1-1%2f..%2f..%2fx',
  '/mails/.1700000000-0001',
]) {
  test(`there is no ${path}`, async (t) => {
    const { deliver, get } = preview(t)
    await deliver()
    assert.equal((await get(path)).status, 404)
  })
}

test('other machines, clients of proxies and pages of foreign names see nothing', async (t) => {
  const { deliver, get } = preview(t)
  await deliver({ html: '<p>Hi' })
  for (const path of ['/mails', `/mails/${only}`, `/mails/${only}/html`, `/mails/${only}/source`]) {
    assert.equal((await get(path, '192.0.2.7')).status, 404)
    for (const name of ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']) {
      assert.equal((await get(path, '127.0.0.1', { [name]: '127.0.0.1' })).status, 404, name)
    }
    assert.equal((await get(path, '127.0.0.1', { host: 'desk.local' })).status, 404)
    assert.equal((await get(path, '127.0.0.1', { host: 'rebound.example' })).status, 404)
    assert.equal((await get(path)).status, 200)
  }
})

test('with DEBUG_REMOTE other machines may look', async (t) => {
  const { get } = preview(t, { server: { debugRemote: true } })
  assert.equal((await get('/mails', '192.0.2.7')).status, 200)
})

for (const environment of ['production', 'staging', 'test'] as const) {
  test(`in ${environment} there are no such routes`, async (t) => {
    const { deliver, get } = preview(t, { environment, server: { debugRemote: true } })
    await deliver()
    assert.equal((await get('/mails')).status, 404)
    assert.equal((await get(`/mails/${only}`)).status, 404)
  })
}
