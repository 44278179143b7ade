import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptanceMessage, rejectionMessage } from './collector-messages.ts'

const answer = (text: string, type = 'application/json') => ({
  status: 200,
  retryAfter: null,
  type,
  text,
})

for (const [text, expected] of [
  ['', null],
  ['{}', null],
  ['not JSON', null],
  ['null', null],
  ['{"partialSuccess":{}}', null],
  ['{"partialSuccess":null}', null],
  ['{"partialSuccess":{"rejectedDataPoints":"0","errorMessage":""}}', null],
  ['{"partialSuccess":{"rejectedDataPoints":"3"}}', 'the collector rejected 3 data points'],
  ['{"partialSuccess":{"rejectedDataPoints":1}}', 'the collector rejected 1 data point'],
  [
    '{"partialSuccess":{"rejectedDataPoints":"9007199254740993","errorMessage":"too old"}}',
    'the collector rejected 9007199254740993 data points: too old',
  ],
  ['{"partialSuccess":{"errorMessage":"old version"}}', 'the collector warns: old version'],
  ['{"partialSuccess":{"rejectedDataPoints":-1,"errorMessage":7}}', null],
  ['{"partialSuccess":{"rejectedDataPoints":{},"errorMessage":[]}}', null],
] as const) {
  test(`a collector that answers ${text || 'nothing'} complains: ${expected}`, () => {
    assert.equal(acceptanceMessage(answer(text)), expected)
  })
}

test('a refusal is the message of a status document, or plain text', () => {
  assert.equal(rejectionMessage(answer('{"code":3,"message":"bad metric"}')), 'bad metric')
  assert.equal(
    rejectionMessage(answer('404 page not found', 'text/plain; charset=utf-8')),
    '404 page not found',
  )
  assert.equal(rejectionMessage(answer('<h1>404</h1>', 'text/html')), '')
  assert.equal(rejectionMessage(answer('{"message":{}}')), '')
})
