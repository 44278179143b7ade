import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RedisError, connectionError, toRedisError } from './redis-error.ts'

const context = { label: 'redis://cache.example:6379/0', commandTimeout: 2, loss: null }

/** A refusal as the client gives it, with all that was sent. */
function reply(message: string): Error {
  const command = { name: 'SET', args: ['session:key-secret', 'value-secret'] }
  return Object.assign(new Error(message), { name: 'ReplyError', command })
}

test('an error reply has its reason and the prefix of the server', () => {
  const error = toRedisError(reply('WRONGTYPE Operation against a key'), 'SET', context)
  assert.equal(error.code, 'E_REDIS')
  assert.equal(error.native, 'WRONGTYPE')
  assert.equal(error.unavailable, false)
  assert.equal(
    error.message,
    `${context.label} rejected SET: the key holds a value of another type`,
  )
})

test('the error contains nothing of what was sent', () => {
  for (const quote of ["'", '"', '`']) {
    const said = `ERR unknown command ${quote}FOO${quote}, with args: ${quote}value-secret${quote}`
    const error = toRedisError(reply(said), 'FOO', context)
    assert.equal(error.message, `${context.label} rejected FOO: ERR unknown command`)
    assert.doesNotMatch(JSON.stringify([error, error.message, error.stack, error.cause]), /secret/)
    assert.deepEqual(Object.keys(error).toSorted(), ['code', 'name', 'native'])
  }
})

for (const native of ['BUSY', 'LOADING', 'MASTERDOWN', 'MISCONF', 'OOM', 'READONLY']) {
  test(`${native} means that the server is unavailable`, () => {
    const error = toRedisError(reply(`${native} whatever follows`), 'SET', context)
    assert.deepEqual([error.code, error.native, error.unavailable], ['E_REDIS', native, true])
  })
}

test('a command without a response is a timeout', () => {
  const error = toRedisError(new Error('Command timed out'), 'GET', context)
  assert.equal(error.code, 'E_REDIS_TIMEOUT')
  assert.equal(error.unavailable, true)
  assert.equal(error.message, `${context.label} did not answer GET within 2 seconds`)
})

test('without a connection each command throws its own error with the reason', () => {
  const refused = Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' })
  const loss = connectionError(refused, context)
  const error = toRedisError(new Error("Stream isn't writeable"), 'GET', { ...context, loss })
  assert.notEqual(error, loss)
  assert.deepEqual(
    [error.code, error.native, error.message],
    [
      'E_REDIS_LOST',
      'ECONNREFUSED',
      `no connection to ${context.label}: nothing is listening there`,
    ],
  )
})

test('an error of a broken connection names the command', () => {
  const error = toRedisError(new Error('Connection is closed.'), 'GET', context)
  assert.equal(error.code, 'E_REDIS_LOST')
  assert.equal(error.message, `the connection to ${context.label} broke during GET`)
})

test('every kind of lost connection has a readable reason', () => {
  const system = (code: string): Error => Object.assign(new Error('secret'), { code })
  const told = (error: Error): string => connectionError(error, context).message
  const beginning = `no connection to ${context.label}: `
  assert.equal(told(reply('WRONGPASS invalid')), `${beginning}it rejected the user or the password`)
  assert.equal(told(system('ENOTFOUND')), `${beginning}there is no such host`)
  assert.equal(told(system('EPIPE')), `${beginning}EPIPE`)
  assert.equal(
    told(system('DEPTH_ZERO_SELF_SIGNED_CERT')),
    `${beginning}TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)`,
  )
  assert.equal(
    told(new Error('Socket timeout. Expecting data')),
    `${beginning}it did not respond for 2 seconds`,
  )
  assert.equal(told(new Error('secret')), `${beginning}it was closed before it was ready`)
  for (const error of [reply('WRONGPASS'), system('EPIPE')]) {
    assert.equal(connectionError(error, context).code, 'E_REDIS_LOST')
  }
})

test('a command on a closed connection is a mistake, not an outage', () => {
  assert.equal(new RedisError('E_REDIS_CLOSED', 'closed').unavailable, false)
})
