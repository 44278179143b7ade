import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { LogContext } from '../../logs/log-context.ts'
import { Server } from '../server/server.ts'
import { RequestIds } from './request-ids.ts'

function serverOf(): Server {
  const server = new Server({ environment: Environments.Test })
  server.use(new RequestIds())
  server.router.get('/', async (request) => {
    await new Promise(setImmediate)
    return { id: request.id, logged: LogContext.current() }
  })
  return server
}

test('answer, request and log lines carry the same id', async () => {
  const answer = await serverOf().inject({ url: '/' })
  const id = answer.headers['x-request-id'] ?? ''
  assert.match(id, /^[\da-f-]{36}$/)
  assert.deepEqual(answer.json(), { id, logged: { request: id } })
  assert.deepEqual(LogContext.current(), {})
})

test('the id of a proxy is kept when it is a plain token', async () => {
  const headers = { 'x-request-id': 'abc-123' }
  assert.equal((await serverOf().inject({ url: '/', headers })).headers['x-request-id'], 'abc-123')
})

test('error answers carry the id too', async () => {
  const headers = { 'x-request-id': 'abc-123' }
  const answer = await serverOf().inject({ url: '/none', headers })
  assert.equal(answer.status, 404)
  assert.equal(answer.headers['x-request-id'], 'abc-123')
})
