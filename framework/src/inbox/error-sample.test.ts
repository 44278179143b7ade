import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentOf } from '../incidents/incident.ts'
import { parseBatch } from './error-batch.ts'
import { isSample, sampleOf } from './error-sample.ts'

test('a sample has files relative to the project, and no address of a client', () => {
  const error = new TypeError('no basket')
  error.stack = 'TypeError: no basket\n    at pay (/shop/routes/pay.ts:3:4)'
  const context = { method: 'GET', URI: '/pay', peer: '192.0.2.7', suppressed: 3, body: {} }
  const sample = sampleOf(incidentOf(error, context, 5), '1.2', '/shop')
  assert.deepEqual(sample.chain[0]?.frames, [
    { call: 'pay', file: 'routes/pay.ts', line: 3, isOwn: true },
  ])
  assert.deepEqual(sample.context, [
    { name: 'method', preview: 'GET' },
    { name: 'URI', preview: '/pay' },
  ])
  assert.equal(isSample(JSON.parse(JSON.stringify(sample))), true)
})

test('whatever is thrown, a sample has at most 16 KiB', () => {
  const long = 'x'.repeat(100_000)
  const fields = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, long]))
  const make = (options?: ErrorOptions): Error => {
    const error = Object.assign(new Error(long, options), fields)
    const call = `    at ${'f'.repeat(400)} (/shop/${'d'.repeat(900)}.ts:1:1)`
    error.stack = `Error: ${long}\n${Array.from({ length: 40 }, () => call).join('\n')}`
    return error
  }
  const error = make({ cause: make({ cause: make() }) })
  const sample = sampleOf(incidentOf(error, fields, 5), '1.2', '/')
  assert.ok(JSON.stringify(sample).length <= 16_384, String(JSON.stringify(sample).length))
  assert.equal(sample.chain.length, 2)
})

test('a line that is no batch is not taken for one', () => {
  for (const text of ['', 'x', '1', 'null', '{}', '{"fingerprint":"a","count":"1"}']) {
    assert.equal(parseBatch(text), null, text)
  }
})
