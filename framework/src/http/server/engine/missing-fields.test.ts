import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { probeDueResponse } from './due-response.ts'
import { missingFields, warnOfMissingFields } from './missing-fields.ts'
import { probeQuickResponse } from './quick-response.ts'
import { probeSentBytes } from './socket-sweep.ts'

const response = {
  _header: null,
  _headerSent: false,
  _last: false,
  finished: false,
  maxRequestsOnConnectionReached: false,
  get headersSent() {
    return this._header !== null
  },
}

test('the Node of these tests has every field that the engine uses', () => {
  assert.deepEqual(missingFields(), { quickResponse: null, dueResponse: null, sentBytes: null })
})

test('a response without a field, or with one that means something else, is not written to', () => {
  assert.equal(probeQuickResponse({ ...response }), '_header', 'headersSent is a copy here')
  assert.equal(probeQuickResponse(Object.create(response)), null)
  const { _last, ...others } = response
  assert.equal(probeQuickResponse(others), '_last')
})

test('a socket that does not name its response is noticed', () => {
  assert.equal(probeDueResponse(new Socket()), null)
  const silent = Object.defineProperty(new Socket(), '_httpMessage', { get() {}, set() {} })
  assert.equal(probeDueResponse(silent), '_httpMessage')
  const taken = Object.assign(new Socket(), { _httpMessage: {} })
  assert.equal(probeDueResponse(taken), '_httpMessage', 'Node refuses to assign it')
})

test('a handle that is not there or does not count is noticed', () => {
  assert.equal(probeSentBytes(null), '_handle')
  assert.equal(probeSentBytes({ bytesWritten: 1 }), '_handle.writeQueueSize')
  assert.equal(probeSentBytes({ bytesWritten: 1, writeQueueSize: 0 }), null)
})

test('each missing field is warned of once, with what it costs', () => {
  const logged: unknown[] = []
  const log = (_message: string, { field, cost }: Record<string, unknown>, level: string): void =>
    void logged.push([level, field, typeof cost])
  const planted = { quickResponse: '_planted', dueResponse: null, sentBytes: '_handle.planted' }
  warnOfMissingFields(log, planted)
  warnOfMissingFields(log, planted)
  assert.deepEqual(logged, [
    ['warn', '_planted', 'string'],
    ['warn', '_handle.planted', 'string'],
  ])
})
