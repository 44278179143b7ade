import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cookies } from '../request/cookies.ts'
import { SessionCookie } from './session-cookie.ts'

test('the cookie ends with the browser and has the whole policy', () => {
  const line = new SessionCookie().line('abc')
  assert.equal(line, 'session=abc; Path=/; Secure; HttpOnly; SameSite=Lax')
})

test('name, path and domain can be others', () => {
  const cookie = new SessionCookie({ name: 'sid', path: '/shop', domain: 'example.com' })
  assert.equal(
    cookie.line('abc'),
    'sid=abc; Domain=example.com; Path=/shop; Secure; HttpOnly; SameSite=Lax',
  )
})

test('a __Host- name forces the whole site and no domain', () => {
  for (const name of ['__Host-session', '__host-session']) {
    for (const options of [{}, { path: '/shop' }, { domain: 'example.com' }]) {
      const cookie = new SessionCookie({ name, ...options })
      assert.equal(cookie.line('abc'), `${name}=abc; Path=/; Secure; HttpOnly; SameSite=Lax`)
    }
  }
})

test('the prefix is put before the name, once, and forces the whole site and no domain', () => {
  const prefix = '__Host-'
  for (const options of [{}, { name: 'session' }, { name: '__Host-session' }, { path: '/shop' }]) {
    const cookie = new SessionCookie({ prefix, domain: 'example.com', ...options })
    assert.equal(cookie.line('abc'), '__Host-session=abc; Path=/; Secure; HttpOnly; SameSite=Lax')
  }
})

test('without a cookie of the prefixed name, that of the former name counts, and is deleted where it was', () => {
  const cookie = new SessionCookie({ prefix: '__Host-', domain: 'example.com' })
  const presented = (header: string): unknown => cookie.presented(new Cookies(header))
  assert.deepEqual(presented('session=a'), { value: 'a', isFormer: true })
  assert.deepEqual(presented('session=a; __Host-session=b'), { value: 'b', isFormer: false })
  assert.deepEqual(presented('other=a'), { value: undefined, isFormer: false })
  assert.equal(
    cookie.formerLine(new Cookies('session=a')),
    'session=; Max-Age=0; Domain=example.com; Path=/; Secure; HttpOnly; SameSite=Lax',
  )
  assert.equal(cookie.formerLine(new Cookies('__Host-session=b')), null)
  const named = new SessionCookie({ name: '__Host-session' })
  assert.deepEqual(named.presented(new Cookies('session=a')), { value: undefined, isFormer: false })
  const plain = new SessionCookie()
  assert.deepEqual(plain.presented(new Cookies('session=a')), { value: 'a', isFormer: false })
  assert.equal(plain.formerLine(new Cookies('session=a')), null)
})

for (const options of [{ name: '' }, { name: 'a;b' }, { path: '/;Secure' }, { domain: 'a\r\nb' }]) {
  test(`${JSON.stringify(options)} throws in the constructor`, () => {
    assert.throws(() => new SessionCookie(options), { code: 'E_COOKIE' })
  })
}

for (const flag of [
  { secure: false },
  { httpOnly: false },
  { sameSite: 'None' },
  { sameSite: 'Strict' },
  { SameSite: 'None' },
]) {
  test(`${JSON.stringify(flag)} does not run: flags are no options`, () => {
    const options = Object.assign({ name: 'session' }, flag)
    assert.throws(() => new SessionCookie(options), { code: 'E_COOKIE', message: /cannot be set/ })
  })
}

test('later changes of the options have no effect', () => {
  const options = { name: 'session', path: '/' }
  const cookie = new SessionCookie(options)
  Object.assign(options, { name: 'other', path: '/x', secure: false })
  assert.equal(cookie.line('abc'), 'session=abc; Path=/; Secure; HttpOnly; SameSite=Lax')
})
