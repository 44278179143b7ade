import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Server } from '../server/server.ts'

const app = new Server({ environment: 'production', throwables: createThrowables() })
app.router.get('/', (_request, response) =>
  response.negotiation.send({ name: 'Ada' }, { text: () => 'Ada in text' }),
)

for (const [accept, status, type] of [
  ['application/json', 200, 'application/json; charset=utf-8'],
  ['text/plain', 200, 'text/plain; charset=utf-8'],
  ['text/plain;q=0.1, application/json;q=0.2', 200, 'application/json; charset=utf-8'],
  ['image/png', 406, 'text/html; charset=utf-8'],
] as const) {
  test(`a client that accepts ${accept} gets ${status} ${type}, with Vary`, async () => {
    const answer = await app.inject({ url: '/', headers: { accept } })
    assert.equal(answer.status, status)
    assert.equal(answer.headers['content-type'], type)
    assert.equal(answer.headers['vary'], 'Accept')
  })
}
