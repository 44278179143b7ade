import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Visitor } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { isSignedIn, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

/** A remembered visitor whose session has ended. */
async function rememberedVisitor(): Promise<{ device: Visitor; email: string }> {
  const { email } = await verified(app)
  const device = await signedIn(app, email, { remember: '1' })
  device.cookies.delete('session')
  return { device, email }
}

test('the home page signs a remembered visitor in', async () => {
  const { device } = await rememberedVisitor()
  const used = device.cookies.get('remember')
  const { status, text } = await device.ask('/')
  assert.equal(status, 200)
  assert.match(text, /Sign out/)
  assert.notEqual(device.cookies.get('remember'), used)
  assert.equal(device.cookies.has('session'), true)
  assert.equal(await isSignedIn(device), true)
})

for (const path of ['/login', '/register', '/forgot']) {
  test(`${path} redirects a remembered visitor to the account`, async () => {
    const { device, email } = await rememberedVisitor()
    const { to, page } = await device.open(path)
    assert.equal(to, '/account')
    assert.ok(page.includes(email))
  })
}

test('routes without accounts and error pages do not use up the device token', async () => {
  const { device } = await rememberedVisitor()
  const used = device.cookies.get('remember')
  const paths = [
    '/style.css',
    '/health',
    '/ready',
    '/metrics',
    '/api/hello/Ada',
    '/nowhere',
    '/error',
  ]
  for (const path of paths) {
    const { cookies } = await device.ask(path)
    assert.deepEqual(cookies, [], path)
  }
  const { status } = await device.ask('/', { headers: { 'sec-purpose': 'prefetch' } })
  assert.deepEqual([status, device.cookies.get('remember')], [200, used])
  assert.equal(await isSignedIn(device), true)
})
