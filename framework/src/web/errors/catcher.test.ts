import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Environments } from '../../app/environments/environments.ts'
import { createThrowables } from '../../base/debugging/throwables.ts'
import { Server } from '../server/server.ts'
import { HttpError } from './http-error.ts'

function failing(
  environment: Environments,
  thrown: unknown,
): { app: Server; reported: [Error, unknown][] } {
  const throwables = createThrowables()
  const reported: [Error, unknown][] = []
  throwables.reporters.push((error, context) => reported.push([error, context]))
  const app = new Server({ environment, throwables })
  app.router.get('/boom', () => {
    throw thrown
  })
  return { app, reported }
}

test('in production the page shows the code and the status text, never the message', async () => {
  const { app } = failing('production', new Error('the secret plan'))
  const { status, text } = await app.inject({ url: '/boom' })
  assert.equal(status, 500)
  assert.match(text, /<h1>500<\/h1><p>Internal Server Error<\/p>/)
  assert.doesNotMatch(text, /secret plan/)
})

test('staging answers as production does', async () => {
  const { app } = failing('staging', new Error('the secret plan'))
  assert.doesNotMatch((await app.inject({ url: '/boom' })).text, /secret plan/)
})

test('a JSON client gets the status text alone', async () => {
  const { app } = failing('production', new Error('the secret plan'))
  const answer = await app.inject({ url: '/boom', headers: { accept: 'application/json' } })
  assert.deepEqual(answer.json(), { error: 'Internal Server Error' })
})

test('in development a loopback client sees the escaped stack, another does not', async () => {
  const { app } = failing('development', new Error('<b>bold</b>'))
  assert.match((await app.inject({ url: '/boom' })).text, /&lt;b&gt;bold/)
  assert.doesNotMatch((await app.inject({ url: '/boom', address: '203.0.113.7' })).text, /bold/)
})

test('in test a throwable is a 500 with one space, a missing route an empty 404', async () => {
  const { app } = failing('test', new Error('x'))
  const boom = await app.inject({ url: '/boom' })
  assert.deepEqual([boom.status, boom.text], [500, ' '])
  const missing = await app.inject({ url: '/nowhere' })
  assert.deepEqual([missing.status, missing.text], [404, ''])
})

test('a throwable is reported with method, path and peer, the query stripped', async () => {
  const error = new Error('x')
  const { app, reported } = failing('production', error)
  await app.inject({ url: '/boom?token=1', headers: { 'X-Request-Id': 'r1' } })
  assert.deepEqual(reported, [
    [error, { interface: 'WPI', method: 'GET', URI: '/boom', peer: '127.0.0.1', request: 'r1' }],
  ])
})

test('a status below 500 is an answer, not an incident; its headers are kept', async () => {
  const { app, reported } = failing(
    'production',
    new HttpError(429, 'slow down', { headers: { 'Retry-After': '7' } }),
  )
  const { status, headers } = await app.inject({ url: '/boom' })
  assert.deepEqual([status, headers['retry-after'], reported.length], [429, '7', 0])
})

test('an HttpError of 500 and above is reported and keeps its status', async () => {
  const { app, reported } = failing('production', new HttpError(503))
  assert.equal((await app.inject({ url: '/boom' })).status, 503)
  assert.equal(reported.length, 1)
})

test('something thrown that is no Error is answered and reported all the same', async () => {
  const { app, reported } = failing('production', 'just text')
  assert.equal((await app.inject({ url: '/boom' })).status, 500)
  assert.match(reported[0]?.[0].message ?? '', /just text/)
})

test('what was set before the failure does not leak into the error answer', async () => {
  const app = new Server({ environment: 'production', throwables: createThrowables() })
  app.router.get('/boom', (_request, response) => {
    response.header('X-Draft', '1').cookie('draft', '1')
    throw new Error('x')
  })
  const { headers } = await app.inject({ url: '/boom' })
  assert.equal(headers['x-draft'], undefined)
  assert.equal(headers['set-cookie'], undefined)
})
