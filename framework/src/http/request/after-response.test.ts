import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { Emitter } from '../../events/emitter.ts'
import { Server } from '../server/server.ts'
import { AfterResponse } from './after-response.ts'
import { RequestEvents } from './request-events.ts'

interface Site {
  readonly server: Server
  readonly afterResponse: AfterResponse
  readonly emitter: Emitter
  readonly reported: Error[]
  /** What happened, in order. */
  readonly told: string[]
}

/** A site whose letters are answered once this resolves. */
function open(beforeAnswer: () => Promise<unknown> = someTurns): Site {
  const emitter = new Emitter()
  const throwables = createThrowables()
  const reported: Error[] = []
  throwables.reporters.push((error) => reported.push(error))
  const told: string[] = []
  const afterResponse = new AfterResponse({ emitter, throwables })
  const server = new Server({ environment: 'test', emitter, throwables, reporter: null })
  server.router.get('/letters', async (request, response) => {
    afterResponse.add(request, () => told.push('first letter'))
    afterResponse.add(request, () => told.push('second letter'))
    await beforeAnswer()
    told.push('answer')
    return response.text('sent')
  })
  server.router.get('/fails', (request) => {
    afterResponse.add(request, () => told.push('letter'))
    throw new Error('planted')
  })
  return { server, afterResponse, emitter, reported, told }
}

/** More turns of the loop than work needs to begin: it is the answer that is waited for. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
}

test('work begins once the answer to its request is out', async () => {
  const { server, afterResponse, told } = open()
  await server.inject({ url: '/letters' })
  assert.deepEqual(told, ['answer'])
  await afterResponse.close()
  assert.deepEqual(told, ['answer', 'first letter', 'second letter'])
})

test('an answer that is an error is one all the same', async () => {
  const { server, afterResponse, told } = open()
  await server.inject({ url: '/fails' })
  await afterResponse.close()
  assert.deepEqual(told, ['letter'])
})

test('what the work throws is reported and keeps nothing else from being done', async () => {
  const { afterResponse, reported, told } = open()
  afterResponse.start(() => {
    throw new Error('no mail server')
  })
  afterResponse.start(async () => Promise.reject(new Error('no mail server either')))
  afterResponse.start(() => told.push('done'))
  await afterResponse.close()
  assert.deepEqual(
    reported.map(({ message }) => message),
    ['no mail server', 'no mail server either'],
  )
  assert.deepEqual(told, ['done'])
})

test('closing waits for work under way, begins what waits, and stops listening', async () => {
  const closed = Promise.withResolvers<void>()
  const { server, afterResponse, emitter, told } = open(() => closed.promise)
  const answered = server.inject({ url: '/letters' })
  await afterResponse.close()
  assert.deepEqual(told, ['first letter', 'second letter'])
  closed.resolve()
  await answered
  assert.equal(emitter.hasListeners(RequestEvents.Handled), false)
})
