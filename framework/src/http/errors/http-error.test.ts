import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { Server } from '../server/server.ts'
import { HttpError } from './http-error.ts'

async function answers(
  environment: Environments,
  error: HttpError,
): Promise<{ page: string; json: InjectedResponse; problem: InjectedResponse }> {
  const server = new Server({ environment, throwables: createThrowables(), reporter: null })
  server.router.get('/', () => {
    throw error
  })
  const ask = (accept: string): Promise<InjectedResponse> =>
    // From elsewhere: clients on this machine see more in development.
    server.inject({ url: '/', headers: { accept }, address: '203.0.113.7' })
  const page = (await ask('text/html')).text
  return {
    page,
    json: await ask('application/json'),
    problem: await ask('application/problem+json'),
  }
}

test('an exposed message is shown to every client in every environment', async () => {
  for (const environment of Object.values(Environments)) {
    for (const status of [409, 503]) {
      const error = new HttpError(status, 'the <cart> is empty', { expose: true })
      const { page, json, problem } = await answers(environment, error)
      assert.match(page, /<p>the &lt;cart&gt; is empty<\/p>/, environment)
      assert.deepEqual(json.json(), { error: 'the <cart> is empty' })
      assert.equal(json.status, status)
      const details: unknown = problem.json()
      assert.ok(typeof details === 'object' && details !== null && 'detail' in details)
      assert.equal(details.detail, 'the <cart> is empty')
    }
  }
})

test('any other message is for developers only', async () => {
  for (const options of [{}, { expose: false }]) {
    const error = new HttpError(409, 'row 7 of orders is locked', options)
    const { page, json, problem } = await answers(Environments.Production, error)
    assert.deepEqual(json.json(), { error: 'Conflict' })
    assert.doesNotMatch(page + problem.text, /locked/)
    const inTest = await answers(Environments.Test, error)
    assert.deepEqual([inTest.page, inTest.json.text], ['', ''])
  }
})

test('problem details are sent to every client if asked for, with the message only if it is exposed', async () => {
  for (const expose of [true, false]) {
    const error = new HttpError(403, 'the token lacks a scope', { expose, problem: true })
    const { page, json, problem } = await answers(Environments.Production, error)
    assert.equal(json.headers['content-type'], 'application/problem+json')
    for (const text of [page, json.text, problem.text]) assert.match(text, /"title":"Forbidden"/)
    assert.equal(/lacks a scope/.test(page), expose)
  }
})
