import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EncodedData } from '../../http/live/event-text.ts'
import { metricsEvents } from './metrics-events.ts'

function reading(refresh: number, past = '') {
  const page = new AbortController()
  const read = { metrics: 0, statements: 0 }
  const fleet = {
    text: () => Promise.resolve(`{"timestamp":${(read.metrics += 1)}}\n`),
    statements: () => {
      read.statements += 1
      return Promise.resolve([])
    },
  }
  const events = metricsEvents(fleet, () => Promise.resolve(past), refresh, page.signal)
  return { page, read, events }
}

test('metrics and statements are read at once, then at every interval', async () => {
  const { events } = reading(0.01)
  const seen: unknown[] = []
  for (let at = 0; at < 4; at += 1) seen.push((await events.next()).value)
  assert.deepEqual(seen, [
    { name: 'metrics', data: new EncodedData('{"timestamp":1}') },
    { name: 'statements', data: { statements: [] } },
    { name: 'metrics', data: new EncodedData('{"timestamp":2}') },
    { name: 'statements', data: { statements: [] } },
  ])
})

test('a page first gets the last hour, so that its charts are full', async () => {
  const { events } = reading(3_600, '{"steps":[]}')
  const [first, second] = [await events.next(), await events.next()]
  assert.deepEqual(first.value, { name: 'past', data: new EncodedData('{"steps":[]}') })
  assert.equal(second.value.name, 'metrics')
})

test('nothing is read for a page that was closed', async () => {
  const { page, read, events } = reading(3_600)
  await events.next()
  await events.next()
  const next = events.next()
  page.abort()
  await assert.rejects(next, { name: 'AbortError' })
  assert.deepEqual(read, { metrics: 1, statements: 1 })
})
