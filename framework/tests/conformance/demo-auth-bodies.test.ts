import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newEmail, password, registered } from '../../../demo/tests/auth/people.ts'
import { valueOn } from '../../src/testing/read-page.ts'
import { serveDemo } from '../support/demo-tests.ts'
import type { InjectedResponse, InjectedRequest } from '../../src/http/server/inject.ts'
import type { ProjectServer } from '../../src/testing/project-server.ts'
import type { Visitor } from '../../src/testing/visitor.ts'

let app: ProjectServer
before(async () => {
  app = await serveDemo()
})
after(() => app.close())

const fileForm =
  '--x\r\nContent-Disposition: form-data; name="email"; filename="a.txt"\r\n\r\nada\r\n--x--\r\n'

const json = { 'content-type': 'application/json', accept: 'application/json' }

async function post(
  visitor: Visitor,
  url: string,
  body: InjectedRequest['body'],
  headers: Readonly<Record<string, string>>,
): Promise<InjectedResponse> {
  const token = { 'x-csrf-token': await visitor.token() }
  return visitor.ask(url, {
    method: 'POST',
    headers: { ...token, ...headers },
    ...(body !== undefined && { body }),
  })
}

for (const text of ['{}', '{"email":7,"password":[]}', '{"__proto__":{"email":"a@b.co"}}']) {
  test(`${text} is an empty form`, async () => {
    const answer = await post(app.visitor(), '/register', text, json)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.json(), {
      errors: {
        email: ['Please enter your e-mail.'],
        password: ['Use at least 8 characters.'],
      },
    })
  })
}

for (const [what, status, body, headers] of [
  ['JSON that is cut off', 400, '{"email":', json],
  ['JSON null', 400, 'null', json],
  ['a JSON list', 400, '["email","password"]', json],
  ['a JSON text of nearly 1 MiB', 400, `"${'a'.repeat(2 ** 20 - 2)}"`, json],
  [
    'a JSON object with a thousand and one members',
    413,
    `{"a":""${Array.from({ length: 1000 }, (_, at) => `,"b${at}":""`).join('')}}`,
    json,
  ],
  ['a file', 415, fileForm, { 'content-type': 'multipart/form-data; boundary=x' }],
  ['text', 415, 'email=ada', { 'content-type': 'text/plain' }],
  ['XML', 415, '<email>ada</email>', { 'content-type': 'application/xml' }],
  [
    'a form larger than 1 MiB',
    413,
    `email=${'a'.repeat(2 ** 20)}`,
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
] as const) {
  test(`${what} is a ${status} on every route that accepts a form`, async () => {
    const { visitor } = await registered(app)
    for (const url of ['/register', '/login', '/forgot', '/password']) {
      visitor.cookies.delete('remember')
      const answer = await post(visitor, url, body, headers)
      assert.equal(answer.status, status, url)
    }
  })
}

test('a JSON body from a client that accepts anything is answered like a form', async () => {
  const visitor = app.visitor()
  const headers = { 'content-type': 'application/json', accept: '*/*' }
  const body = JSON.stringify({ email: 'ada', password })
  const { status, to, page } = await visitor.follow(await post(visitor, '/register', body, headers))
  assert.deepEqual([status, to, valueOn(page, 'email')], [303, '/register', 'ada'])
})

test('a multipart form works like any form', async () => {
  const email = newEmail()
  const fields = { email, password, password_confirmation: password }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const answer = await post(app.visitor(), '/register', `${parts.join('')}--x--\r\n`, {
    'content-type': 'multipart/form-data; boundary=x',
  })
  assert.deepEqual([answer.status, answer.headers['location']], [303, '/account'])
})

test('a password above 1,024 bytes is refused as a new one, and wrong as a current one', async () => {
  const { visitor, email } = await registered(app)
  const long = 'a b '.repeat(257)
  const twice = { password: long, password_confirmation: long }
  const guest = await app.visitor().send('/register', { email: newEmail(), ...twice })
  assert.deepEqual(guest.json(), {
    errors: { password: ['This password is too long. Choose a shorter one.'] },
  })
  const owner = await visitor.send('/password', { current: password, ...twice })
  assert.deepEqual(owner.json(), {
    errors: { password: ['This password is too long. Choose a shorter one.'] },
  })
  const wrong = await app.visitor().send('/login', { email, password: long })
  assert.deepEqual([wrong.status, wrong.json()], [401, { error: 'Invalid credentials.' }])
})

test('no route normalizes a text that is too long: that may take the square of its length', async (t) => {
  const { visitor } = await registered(app)
  const marks = `a${'\u0315'.repeat(20_000)}${'\u0316'.repeat(20_000)}`
  const normalize = t.mock.method(String.prototype, 'normalize')
  const fields = { email: marks, current: marks, password: marks, password_confirmation: marks }
  await visitor.send('/password', fields)
  for (const url of ['/register', '/login', '/forgot']) {
    assert.ok((await app.visitor().send(url, fields)).status < 500, url)
    await app.visitor().send(url, { ...fields, password })
  }
  const lengths = normalize.mock.calls.map((call) => String(call.this).length)
  assert.ok(Math.max(...lengths) <= 1024, `${Math.max(...lengths)} characters`)
})

for (const strange of [
  '\u0000',
  'ada\u0000@example.com',
  "' OR 1=1 --",
  '\u212a@example.com',
  '\ud800@example.com',
  '<b>@example.com',
]) {
  test(`${JSON.stringify(strange)} is no account's e-mail`, async () => {
    const visitor = app.visitor()
    const login = await visitor.send('/login', { email: strange, password })
    assert.equal(login.status, 401)
    const form = { email: strange, password, password_confirmation: password }
    const register = await visitor.send('/register', form)
    assert.deepEqual(register.json(), { errors: { email: ['This is not an e-mail address.'] } })
    const { page } = await visitor.submit('/forgot', { email: strange })
    assert.doesNotMatch(page, /<b>@/)
  })
}

test('a JSON client learns from status and text why it was refused', async (t) => {
  // Not in the test environment, whose error responses are empty.
  const site = await serveDemo({ environment: 'development' })
  t.after(() => site.close())
  const { visitor } = await registered(site)
  for (const kind of ['devices', 'sessions']) {
    const url = `/${kind}/0123456789abcdef/revoke`
    const unknown = await visitor.send(url)
    assert.deepEqual([unknown.status, unknown.json()], [404, { error: 'Not Found' }])
    const guest = await site.visitor().send(url)
    assert.deepEqual([guest.status, guest.json()], [401, { error: 'Unauthorized' }])
  }
  for (const url of ['/account', '/password']) {
    const headers = { accept: 'application/json' }
    const guest = await site.visitor().ask(url, { headers })
    assert.deepEqual([guest.status, guest.json()], [401, { error: 'Unauthorized' }])
  }
})
