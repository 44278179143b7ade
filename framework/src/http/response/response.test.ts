import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { HeaderList } from './header-list.ts'
import { Response } from './response.ts'
import { setCookie } from './set-cookie.ts'

test('header names compare without regard to case, set replaces and append adds', () => {
  const headers = new HeaderList()
  headers.set('X-A', '1')
  headers.set('x-a', '2')
  headers.append('Set-Cookie', 'a=1')
  headers.append('Set-Cookie', 'b=2')
  assert.deepEqual(
    [...headers],
    [
      ['X-A', '2'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ],
  )
  assert.deepEqual(headers.all('set-cookie'), ['a=1', 'b=2'])
  headers.set('SET-COOKIE', 'c=3')
  assert.deepEqual(headers.flat, ['X-A', '2', 'Set-Cookie', 'c=3'])
  headers.delete('x-A')
  assert.equal(headers.has('X-A'), false)
})

test('addMissing keeps existing headers and adds missing ones', () => {
  const [headers, fixed] = [new HeaderList(), new HeaderList()]
  headers.set('X-A', 'mine')
  fixed.set('x-a', 'theirs')
  fixed.set('X-B', 'new')
  headers.addMissing(fixed)
  assert.deepEqual(headers.flat, ['X-A', 'mine', 'X-B', 'new'])
  headers.set('x-b', 'replaced')
  assert.deepEqual(headers.flat, ['X-A', 'mine', 'X-B', 'replaced'])
})

for (const value of ['a\r\nSet-Cookie: x=1', 'a\nb', 'a\0b', 'schön 🙂']) {
  test(`the header value ${JSON.stringify(value)} is refused`, () => {
    assert.throws(() => new HeaderList().set('X-A', value), { code: 'E_HEADER' })
    assert.throws(() => new HeaderList().append('X-A', value), { code: 'E_HEADER' })
  })
}

for (const name of ['', 'X A', 'X:A', 'X\r\nB', 'Ü']) {
  test(`the header name ${JSON.stringify(name)} is refused`, () => {
    assert.throws(() => new HeaderList().set(name, '1'), { code: 'E_HEADER' })
  })
}

test('a cookie is Secure, HttpOnly and SameSite=Lax for the whole site by default', () => {
  assert.equal(setCookie('a', 'x y;z'), 'a=x%20y%3Bz; Path=/; Secure; HttpOnly; SameSite=Lax')
  assert.equal(
    setCookie('a', '', {
      maxAge: 0,
      path: '/x',
      domain: 'a.example',
      secure: false,
      httpOnly: false,
      sameSite: 'Strict',
    }),
    'a=; Max-Age=0; Domain=a.example; Path=/x; SameSite=Strict',
  )
})

test('a cookie cannot smuggle attributes in its name, path or domain', () => {
  assert.throws(() => setCookie('a;b', ''), { code: 'E_COOKIE' })
  assert.throws(() => setCookie('a', '', { path: '/; Domain=x' }), { code: 'E_COOKIE' })
  assert.throws(() => setCookie('a', '', { domain: 'x\r\n' }), { code: 'E_COOKIE' })
  assert.throws(() => setCookie('__Host-a', '', { domain: 'x.example' }), { code: 'E_COOKIE' })
})

/** The `Location` of a redirect. */
function redirectTarget(target: string, foreign: boolean): string | undefined {
  return new Response().redirect(target, { foreign }).headers.get('Location')
}

for (const target of ['/login', '/a?b=c#d', '/', '/a//b']) {
  test(`${target} is a target on this site`, () =>
    assert.equal(redirectTarget(target, false), target))
}

for (const target of [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'login',
  '',
  '/a\r\nb',
  '/\tx',
]) {
  test(`${JSON.stringify(target)} is refused as a redirect target`, () => {
    assert.throws(() => redirectTarget(target, false), { code: 'E_REDIRECT_FOREIGN' })
  })
}

test('the message of a refused redirect does not repeat its target, which may hold a token', () => {
  for (const target of ['//evil.example/?t=planted', '/\\planted', 'planted']) {
    const quiet = (error: unknown): boolean =>
      error instanceof Error && !error.message.includes('planted')
    assert.throws(() => redirectTarget(target, false), quiet)
  }
})

test('a foreign target must be asked for, and be http or https', () => {
  assert.equal(redirectTarget('https://other.example/x', true), 'https://other.example/x')
  assert.throws(() => redirectTarget('javascript:alert(1)', true), { code: 'E_REDIRECT_FOREIGN' })
  assert.throws(() => redirectTarget('//other.example', true), { code: 'E_REDIRECT_FOREIGN' })
})

test('text beyond ASCII in a target is encoded, and so are backslashes and halves of a pair', () => {
  assert.equal(redirectTarget('/grüße', false), '/gr%C3%BC%C3%9Fe')
  assert.equal(redirectTarget('/items?q=a\\b', false), '/items?q=a%5Cb')
  assert.equal(redirectTarget('/a\\/evil.example', false), '/a%5C/evil.example')
  assert.equal(redirectTarget('/a?q=\ud800', false), '/a?q=%EF%BF%BD')
})

test('a redirect is a 303 without a body', () => {
  const response = new Response().html('<p>old').redirect('/login')
  assert.deepEqual(
    [response.code, response.body, response.headers.get('Location')],
    [303, null, '/login'],
  )
  assert.equal(response.headers.has('Content-Type'), false)
})

test('a status outside 200 to 599 is refused', () => {
  for (const code of [0, 199, 600, 200.5, Number.NaN])
    assert.throws(() => new Response().status(code))
})

test('a stream that another body takes the place of is destroyed', () => {
  const stream = Readable.from(['x'])
  new Response().stream(stream).text('instead')
  assert.equal(stream.destroyed, true)
})

test('a view without a views folder says so', () => {
  assert.throws(() => new Response().view('home'), { code: 'E_VIEWS' })
})

test('Vary collects names once', () => {
  const response = new Response().vary('Accept').vary('accept').vary('Origin')
  assert.equal(response.headers.get('Vary'), 'Accept, Origin')
})

test('JSON of undefined is null', () => {
  assert.equal(new Response().json(undefined).body, 'null')
})
