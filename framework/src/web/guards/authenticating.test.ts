import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../app/environments/environments.ts'
import { Server } from '../server/server.ts'
import { Authenticating } from './authenticating.ts'
import { Authentication } from './authentication.ts'
import type { Guard } from './guard.ts'

/** A guard that notes when it is asked. */
function guard(name: string, passes: boolean | Promise<boolean>, calls: string[]): Guard {
  return {
    authenticate(request) {
      calls.push(name)
      if (passes === true) request.identity = { id: name }
      return passes
    },
    finish: () => void calls.push(`finish ${name}`),
  }
}

async function ask(of: Guard): Promise<{ readonly status: number; readonly text: string }> {
  const server = new Server({ environment: Environments.Test, reporter: null })
  server.router.get('/', ({ identity }) => identity?.id ?? 'nobody', {
    middlewares: [new Authentication(of)],
  })
  return server.inject({ url: '/' })
}

test('guards are asked in order, the next only after a miss', async () => {
  const calls: string[] = []
  const guards = [guard('a', false, calls), guard('b', true, calls), guard('c', true, calls)]
  const { status, text } = await ask(new Authenticating(...guards))
  assert.deepEqual([status, text], [200, 'b'])
  assert.deepEqual(calls, ['a', 'b', 'finish a', 'finish b', 'finish c'])
})

test('when all have missed the request is turned away', async () => {
  const calls: string[] = []
  const all = new Authenticating(
    guard('a', false, calls),
    guard('b', Promise.resolve(false), calls),
  )
  assert.equal((await ask(all)).status, 401)
  assert.deepEqual(calls.slice(0, 2), ['a', 'b'])
})

test('a guard that fails lets nobody pass', async () => {
  const broken: Guard = { authenticate: () => Promise.reject(new Error('planted')) }
  const calls: string[] = []
  const { status } = await ask(new Authenticating(broken, guard('b', true, calls)))
  assert.equal(status, 500)
  assert.deepEqual(calls.slice(0, 1), ['finish b'])
})

test('one guard is enough, and may answer at once', async () => {
  assert.deepEqual((await ask(guard('a', true, []))).text, 'a')
  assert.deepEqual((await ask(guard('a', false, []))).status, 401)
})

test('without a guard there is nothing to ask', () => {
  assert.throws(() => new Authenticating(), { code: 'E_INVALID_ARGUMENT' })
})

test('the realm is that of the first guard that has one, and must fit into a header', () => {
  const calls: string[] = []
  const plain = guard('a', false, calls)
  assert.equal(new Authenticating(plain).realm, undefined)
  assert.equal(new Authenticating(plain, { ...plain, realm: 'Back room' }).realm, 'Back room')
  assert.throws(() => new Authentication({ ...plain, realm: 'a\r\nb' }), { code: 'E_HEADER' })
})
