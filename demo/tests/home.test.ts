import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signedIn, verified } from './auth/people.ts'
import { serveDemo } from './serve-demo.ts'

const app = await serveDemo()
after(() => app.close())

test('the home page has the title of the site and its links', async () => {
  const { status, headers, text } = await app.inject({ url: '/' })
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/html/)
  assert.match(text, /<h1>Framework demo<\/h1>/)
  for (const path of [
    '/items',
    '/health',
    '/hello/Ada',
    '/api/hello/Ada',
    '/items?cursor=',
    '/style.css',
    '/nowhere',
    '/error',
  ]) {
    assert.ok(text.includes(`href="${path}"`), path)
  }
})

test('every link of the home page works', async () => {
  const { text } = await app.inject({ url: '/' })
  const links = [...text.matchAll(/href="(\/[^"#]*)/g)].map((match) => match[1] ?? '')
  // A guest is sent to sign in.
  const others: Readonly<Record<string, number>> = {
    '/nowhere': 404,
    '/error': 500,
    '/account': 303,
    '/password': 303,
  }
  for (const url of new Set(links)) {
    const { status } = await app.inject({ url })
    assert.equal(status, others[url] ?? 200, url)
  }
})

test('the JSON route greets the name in its path, with the word of the settings', async (t) => {
  const other = await serveDemo({ env: { APP_GREETING: 'Hi' } })
  t.after(() => other.close())
  const answer = await other.inject({ url: '/api/hello/Ada' })
  assert.deepEqual(answer.json(), { greeting: 'Hi, Ada!' })
})

test('the view greets too, and escapes the name', async () => {
  const { text } = await app.inject({ url: '/hello/%3Cb%3EAda%3C%2Fb%3E' })
  assert.match(text, /<h1>Hello, &lt;b&gt;Ada&lt;\/b&gt;!<\/h1>/)
})

test('files of the public folder are served', async () => {
  const style = await app.inject({ url: '/style.css' })
  assert.equal(style.status, 200)
  assert.match(style.headers['content-type'] ?? '', /^text\/css/)
})

test('every response carries the security headers', async () => {
  const { headers } = await app.inject({ url: '/' })
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(headers['content-security-policy'] ?? '', /default-src 'self'/)
  assert.ok(headers['x-request-id'])
})

for (const path of ['/hello/Ada', '/items']) {
  test(`${path} signs a remembered visitor in`, async () => {
    const { email } = await verified(app)
    const device = await signedIn(app, email, { remember: '1' })
    device.cookies.delete('session')
    assert.match((await device.ask(path)).text, /Sign out/)
    assert.equal(device.cookies.has('session'), true)
  })
}
