import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Emitter } from '../../events/emitter.ts'
import { RequestEvents } from '../request/request-events.ts'
import { Server } from './server.ts'

test('a listener of a request that throws or rejects is reported, and the others and the request go on', async () => {
  const failures: string[] = []
  const emitter = new Emitter((throwable, event) => failures.push(`${event}: ${String(throwable)}`))
  const seen: string[] = []
  for (const event of [RequestEvents.Received, RequestEvents.Handled]) {
    emitter.listen(event, () => {
      throw new Error('thrown')
    })
    emitter.listen(event, () => Promise.reject(new Error('rejected')))
    emitter.listen(event, (...[request]) => seen.push(request.path))
  }
  const server = new Server({ emitter, reporter: null })
  server.router.get('/', () => 'fine')
  const { text } = await server.inject({ url: '/' })
  assert.equal(text, 'fine')
  assert.deepEqual(seen, ['/', '/'])
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(failures.toSorted(), [
    'request.handled: Error: rejected',
    'request.handled: Error: thrown',
    'request.received: Error: rejected',
    'request.received: Error: thrown',
  ])
})
