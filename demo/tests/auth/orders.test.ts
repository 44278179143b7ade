import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectedResponse } from 'framework/http'
import { serveDemo } from '../serve-demo.ts'
import { newEmail, password } from './people.ts'

const app = await serveDemo()
after(() => app.close())

/** A token of a new account with this scope. */
async function tokenFor(scope: 'account:read' | 'items:order'): Promise<string> {
  const { apiTokens, users } = app.services.accounts
  const id = (await users.enroll(newEmail(), password)) ?? ''
  const made = await apiTokens.create(
    id,
    { name: 'Shop', scopes: [scope], ttl: 60 },
    { keep: null },
  )
  return made?.value ?? ''
}

function order(token: string, item: number, body: object): Promise<InjectedResponse> {
  const headers = { authorization: `Bearer ${token}` }
  return app.inject({ method: 'POST', url: `/api/items/${item}/orders`, headers, body })
}

test('a program orders an item until it is out of stock, which is a problem of its own', async () => {
  const token = await tokenFor('items:order')
  const { items } = JSON.parse((await app.inject({ url: '/items?available=1' })).text)
  const [{ id, name, stock }] = items
  const first = await order(token, id, { quantity: 1 })
  assert.equal(first.status, 201)
  assert.deepEqual(first.json(), { item: name, quantity: 1, left: stock - 1 })
  const refused = await order(token, id, { quantity: 100 })
  assert.equal(refused.status, 409)
  assert.equal(refused.headers['content-type'], 'application/problem+json')
  const { title, left } = Object(refused.json())
  assert.deepEqual([title, left], ['Out of stock', stock - 1])
})

test('an order without a quantity, of no item or without the scope is refused', async () => {
  const token = await tokenFor('items:order')
  assert.equal((await order(token, 1, {})).status, 422)
  assert.equal((await order(token, 1, { quantity: 0 })).status, 422)
  assert.equal((await order(token, 999_999, { quantity: 1 })).status, 404)
  assert.equal((await order(await tokenFor('account:read'), 1, { quantity: 1 })).status, 403)
  assert.equal((await order('', 1, { quantity: 1 })).status, 401)
})
