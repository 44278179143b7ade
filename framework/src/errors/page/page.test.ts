import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Page } from './page.ts'

// Put together, so that the excerpts of this file do not hold it.
const secret = ['plan', 'ted'].join('')

const numbered = Array.from({ length: 40 }, (_, at) => `line${at + 1}()`)

function plant(t: TestContext, files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'framework-page-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  return root
}

function withFrames(error: Error, ...frames: string[]): Error {
  const lines = frames.map((frame) => `    at ${frame}`)
  return Object.defineProperty(error, 'stack', { value: ['Error', ...lines].join('\n') })
}

/** The text of a page that people read, without its style, script and Markdown. */
function body(page: string): string {
  return page.replace(/<style.*?<\/style>/s, '').replace(/<footer>.*$/s, '')
}

test('the page is one document that loads nothing', () => {
  const page = Page.render(withFrames(new Error('boom'), 'f (node:fs:1:1)'))
  assert.match(page, /^<!doctype html><html lang="en">/)
  assert.match(page, /<meta name="robots" content="noindex">/)
  assert.match(page, /<meta name="color-scheme" content="light dark">/)
  assert.match(page, /<link rel="icon" href="data:image\/svg\+xml,[^"<]+">/)
  assert.doesNotMatch(page, /<(?:img|iframe|object|embed|video|audio|form|base)\b/)
  assert.doesNotMatch(page, /\bsrc=|@import|url\(/)
  assert.deepEqual(page.match(/<link\b/g), ['<link'])
})

test('style and script carry the nonce, and nothing is inline besides', () => {
  const page = Page.render(new Error('boom'), {}, { nonce: 'a"b' })
  assert.match(page, /<style nonce="a&quot;b">/)
  assert.match(page, /<script nonce="a&quot;b">/)
  assert.doesNotMatch(page, /<[^>]*\s(?:style|on\w+)=/)
  assert.match(Page.render(new Error('boom')), /<style>.*<script>/s)
})

test('class, message and throw point lead the page', (t) => {
  const root = plant(t, { 'x.ts': numbered.join('\n') })
  const error = withFrames(new TypeError('it broke'), `load (${root}/x.ts:20:3)`)
  const page = Page.render(error, {}, { root })
  assert.match(page, /<title>TypeError: it broke<\/title>/)
  assert.match(
    page,
    /<h1><span class="class">TypeError<\/span> <span class="message">it broke<\/span><\/h1>/,
  )
  assert.match(
    page,
    /<p class="thrown">at <a [^>]*><code>x\.ts:20:3<\/code><\/a> in <code>load<\/code>/,
  )
})

test('the excerpt has eight lines on each side, the failing one marked', (t) => {
  const root = plant(t, { 'x.ts': numbered.join('\n') })
  const page = Page.render(withFrames(new Error(''), `f (${root}/x.ts:20:1)`), {}, { root })
  const lines = [...page.matchAll(/<(span|mark) class="l" data-n="(\d+)">/g)]
  assert.deepEqual(
    lines.map((found) => Number(found[2])),
    Array.from({ length: 17 }, (_, at) => 12 + at),
  )
  assert.deepEqual(
    lines.filter((found) => found[1] === 'mark').map((found) => found[2]),
    ['20'],
  )
  assert.match(page, /evaluates <code>line20\(\)<\/code>/)
})

test('the first application frame is selected, others can be, and runs of other frames are folded', (t) => {
  const root = plant(t, { 'x.ts': numbered.join('\n') })
  const here = import.meta.filename
  const error = withFrames(
    new Error(''),
    `inVendor (${here}:1:1)`,
    'inNode (node:fs:1:1)',
    `first (${root}/x.ts:1:1)`,
    `second (${root}/x.ts:2:1)`,
    `late (${here}:2:1)`,
  )
  const page = body(Page.render(error, {}, { root }))
  assert.match(
    page,
    /<details><summary>2 vendor and node frames<\/summary>.*inVendor.*inNode.*<\/details>/,
  )
  assert.match(page, /<details><summary>1 vendor frame<\/summary>.*late.*<\/details>/)
  assert.match(page, /<input type="radio" class="f2" id="frames-0-2" [^>]*checked>/)
  assert.equal(page.match(/ checked/g)?.length, 1)
  assert.deepEqual(
    [...page.matchAll(/class="panel p(\d)"/g)].map((found) => found[1]),
    ['0', '2', '3', '4'],
  )
})

test('without a frame of the application the fold with the first source is open', () => {
  const error = withFrames(new Error(''), 'f (node:fs:1:1)', `g (${import.meta.filename}:1:1)`)
  const page = Page.render(error)
  assert.match(page, /<details open><summary>2 vendor and node frames/)
  assert.match(page, /class="f1"[^>]* checked>/)
})

test('generated source is shown for the application only', (t) => {
  const root = plant(t, { 'x.ts': 'x'.repeat(900) })
  const own = withFrames(new Error(''), `f (${root}/x.ts:1:1)`)
  assert.match(Page.render(own), /class="panel p0"/)
  const folder = mkdtempSync(join(import.meta.dirname, 'minified-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'x.js'), 'x'.repeat(900))
  const vendor = Page.render(withFrames(new Error(''), `f (${folder}/x.js:1:1)`))
  assert.doesNotMatch(vendor, /class="panel p/)
  assert.match(vendor, /No source available/)
})

test('the errors of a chain have sections of their own, and links to them', () => {
  const cause = new AggregateError([new RangeError('third')], 'second')
  const page = body(Page.render(new Error('first', { cause })))
  assert.match(
    page,
    /<nav [^>]*>.*Caused by<\/span> <a href="#error-1"><b>AggregateError<\/b> second<\/a>/,
  )
  assert.match(
    page,
    /Together with<\/span> <a href="#error-2"><b>RangeError<\/b> third<\/a>.*<\/nav>/,
  )
  assert.match(page, /<section class="error" id="error-1"><p class="relation">Caused by<\/p><h2>/)
  assert.match(page, /id="error-2"><p class="relation">Together with<\/p>/)
  for (const group of ['frames-0', 'frames-1', 'frames-2']) {
    assert.match(page, new RegExp(`name="${group}"[^>]* checked`))
  }
  assert.doesNotMatch(Page.render(new Error('alone')), /<nav/)
})

test('properties and the sections of the context are tables', () => {
  const error = Object.assign(new Error(''), { code: 'E_GONE' })
  const page = body(Page.render(error, { Query: { page: '<2>' }, user: 7 }, { request: 'id<1>' }))
  assert.match(
    page,
    /Properties<\/h2><table class="pairs"><tr><th scope="row">code<\/th><td>&#39;E_GONE&#39;</,
  )
  assert.match(
    page,
    /<h3 class="title">Query<\/h3><table class="pairs"><tr><th scope="row">page<\/th><td>&lt;2&gt;</,
  )
  assert.match(
    page,
    /<h3 class="title">Context<\/h3><table class="pairs"><tr><th scope="row">user<\/th><td>7</,
  )
  assert.match(page, /Request <code>id&lt;1&gt;<\/code>/)
})

test('everything from outside is shown as text', (t) => {
  const hostile = `</textarea></script><script>alert(1)</script><img src=x onerror=alert(1)>"'`
  const root = plant(t, { '<b>".ts': hostile })
  const error = withFrames(
    Object.assign(new Error(hostile, { cause: new Error(hostile) }), { [hostile]: hostile }),
    `${hostile} (${root}/<b>".ts:1:1)`,
  )
  error.name = hostile
  const page = Page.render(
    error,
    { [hostile]: { [hostile]: hostile }, more: hostile },
    { nonce: hostile, request: hostile, root },
  )
  assert.equal(page.match(/<script/g)?.length, 1)
  assert.equal(page.match(/<\/script/g)?.length, 1)
  assert.equal(page.match(/<\/textarea/g)?.length, 1)
  assert.doesNotMatch(page, /<img|<b>"/)
})

test('secrets are not shown anywhere, not even in the copied text', () => {
  const cause = new Error(`GET /reset?token=${secret}`)
  const error = Object.assign(new Error(`redis://:${secret}@cache`, { cause }), { apiKey: secret })
  const headers = { authorization: secret, 'proxy-authorization': secret, 'set-cookie': secret }
  const page = Page.render(error, {
    Headers: { ...headers, cookie: secret, 'x-api-key': secret, 'x-csrf-token': secret },
    Cookies: { session: secret },
    Fields: { password: secret, url: `https://ada:${secret}@host/` },
  })
  assert.equal(page.includes(secret), false)
})

test('a message over several lines leads with the first, a very long one is folded', () => {
  const page = Page.render(new Error('one\n\ntwo\nthree'))
  assert.match(page, /<span class="message">one<\/span><\/h1><pre class="rest">two\nthree<\/pre>/)
  const long = body(Page.render(new Error('x'.repeat(100_000))))
  assert.match(long, /<span class="message">x{300}…<\/span>/)
  assert.match(long, /<details class="more"><summary>Full message, \d+ characters<\/summary>/)
  assert.ok(long.length < 60_000)
})

test('invisible characters are shown', () => {
  assert.match(Page.render(new Error('a\u001B[31mb\u202Ec')), /a␛\[31mb\[U\+202E\]c/)
})

test('an error without message and stack has a page', () => {
  const page = Page.render(Object.defineProperty(new Error(''), 'stack', { value: undefined }))
  assert.match(page, /<em>no message<\/em>/)
  assert.match(page, /This error has no stack/)
})

test('any thrown value has a page', () => {
  for (const thrown of ['text', null, undefined, 7, { a: 1 }, Symbol('s'), Object.create(null)]) {
    assert.match(Page.render(thrown), /thrown value is not an Error/)
  }
})

test('a value that cannot be read has a page', () => {
  const throwing = (): never => {
    throw new Error('no')
  }
  const traps = { get: throwing, ownKeys: throwing, getPrototypeOf: throwing, has: throwing }
  for (const target of [{}, new Error('x')]) {
    assert.match(Page.render(new Proxy(target, traps)), /<h1>.*<\/h1>/)
  }
  const odd = Object.defineProperty({}, 'root', { get: throwing })
  assert.match(Page.render(new Error('x'), {}, odd), /<h1>.*<\/h1>/)
  const context = Object.defineProperty({}, 'a', { enumerable: true, get: throwing })
  assert.match(Page.render(new Error('shown'), context), /<h1>.*shown.*<\/h1>/)
  assert.match(Page.render(new Error('shown'), new Proxy({}, traps)), /<h1>.*shown.*<\/h1>/)
})

test('the largest page stays below a megabyte', () => {
  const frame = `f (${import.meta.filename}:100:1)`
  const list = Array.from({ length: 100 }, () => frame)
  let error = withFrames(new Error('0'), ...list)
  for (let at = 1; at < 9; at += 1)
    error = withFrames(new Error(`${at}`, { cause: error }), ...list)
  const page = Page.render(error)
  assert.equal(page.match(/class="panel p/g)?.length, 5 * 32)
  assert.ok(page.length < 1_000_000, `${page.length}`)
})
