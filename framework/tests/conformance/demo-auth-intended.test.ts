import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { demoAccount } from '../../../demo/demo-account.ts'
import { serveDemo } from '../support/demo-tests.ts'
import type { InjectedRequest } from '../../src/http/server/inject.ts'
import type { ProjectServer } from '../../src/testing/project-server.ts'

let app: ProjectServer
before(async () => {
  app = await serveDemo()
})
after(() => app.close())

/** Where sign-in redirects to after a guest was refused this address. */
async function destination(
  url: string,
  request: Omit<InjectedRequest, 'url'> = {},
): Promise<string | undefined> {
  const visitor = app.visitor()
  await visitor.ask(url, request)
  return (await visitor.submit('/login', demoAccount)).to
}

for (const url of ['/account', '/password', '/account?tab=devices&back=%2Fitems']) {
  test(`a guest who requested ${url} is sent there after sign-in`, async () => {
    assert.equal(await destination(url), url)
  })
}

for (const [what, url, request] of [
  ['sent a form', '/password', { method: 'POST' }],
  ['asked for the headers only', '/account?a=b', { method: 'HEAD' }],
  ['was a script that wanted JSON', '/account?a=b', { headers: { accept: 'application/json' } }],
  ['was a script', '/account?a=b', { headers: { 'sec-fetch-mode': 'cors' } }],
  ['was a picture', '/account?a=b', { headers: { 'sec-fetch-dest': 'image' } }],
  ['was fetched ahead', '/account?a=b', { headers: { 'sec-purpose': 'prefetch' } }],
  ['had too long an address', `/account?a=${'b'.repeat(2048)}`, {}],
  ['had a backslash in the address', '/account?a=\\evil.example', {}],
  ['had a control character in the address', '/account?a=\u0001', {}],
] as const) {
  test(`a guest who ${what} is sent to the account`, async () => {
    assert.equal(await destination(url, request), '/account')
  })
}

for (const url of ['//evil.example/account', '/\\evil.example', '/%2f/evil.example']) {
  test(`${url} does not redirect to another site`, async () => {
    assert.equal(await destination(url), '/account')
  })
}

test('only the path of a full URL is used', async () => {
  const visitor = app.visitor()
  await visitor.ask('/account', { headers: { host: 'evil.example' } })
  assert.equal((await visitor.submit('/login', demoAccount)).to, '/account')
})

test('intended is used once, and JSON clients get it too', async () => {
  const visitor = app.visitor()
  await visitor.ask('/account?tab=devices')
  const first = await visitor.send('/login', demoAccount)
  assert.deepEqual(first.json(), { redirect: '/account?tab=devices' })
  const second = await visitor.send('/login', demoAccount)
  assert.deepEqual(second.json(), { redirect: '/account' })
})
