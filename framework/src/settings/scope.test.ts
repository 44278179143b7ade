import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError, InvalidArgumentException } from '../base/errors.ts'
import type { EnvSource } from './env-source.ts'
import { env } from './env.ts'
import { readScopes, scope } from './scope.ts'
import type { ValuesOf } from './scope.ts'

const mail = scope('mail', {
  host: env.string('MAIL_HOST', { default: 'localhost', meaning: 'host of the mail server' }),
  port: env.port('MAIL_PORT', { default: 25, meaning: 'its port' }),
  secure: env.choice('MAIL_SECURE', ['tls', 'none'], { default: 'tls', meaning: 'encryption' }),
  password: env.string('MAIL_PASSWORD', { meaning: 'password of the account' }),
})

function source(texts: Record<string, string>): EnvSource {
  return {
    environment: 'test',
    lookup: (name) => {
      const text = texts[name]
      return text === undefined ? null : { text, origin: '.env' }
    },
  }
}

function failure(texts: Record<string, string>, scopes: Parameters<typeof readScopes>[0]): Error {
  try {
    readScopes(scopes, source(texts))
  } catch (error) {
    assert(error instanceof ConfigurationError)
    return error
  }
  return assert.fail('the scopes were read')
}

test('values are typed, defaulted and frozen', () => {
  const values = readScopes({ mail }, source({ MAIL_PORT: '587', MAIL_PASSWORD: 'x' }))
  const typed: ValuesOf<typeof mail> = values.mail
  const secure: 'tls' | 'none' = typed.secure
  assert.equal(secure, 'tls')
  assert.deepEqual(values, {
    mail: { host: 'localhost', port: 587, secure: 'tls', password: 'x' },
  })
  assert(Object.isFrozen(values) && Object.isFrozen(values.mail))
})

test('every invalid value is listed with what was expected and what it got', () => {
  const error = failure({ MAIL_PORT: 'abc', MAIL_SECURE: 'ssl' }, { mail })
  assert.equal(
    error.message,
    [
      '3 settings cannot be used:',
      '  MAIL_PORT (its port) must be a port from 0 to 65535, got "abc" from .env',
      '  MAIL_SECURE (encryption) must be "tls" or "none", got "ssl" from .env',
      '  MAIL_PASSWORD (password of the account) is required: expected a text, got nothing; set it in the environment or in .env',
    ].join('\n'),
  )
  assert('code' in error && error.code === 'E_CONFIG_INVALID')
})

test('when values are only missing the code is E_CONFIG_MISSING', () => {
  const error = failure({}, { mail })
  assert('code' in error && error.code === 'E_CONFIG_MISSING')
  assert.match(error.message, /^a setting cannot be used:\n {2}MAIL_PASSWORD /)
})

test('a bad secret is not printed, whether declared or known by its name', () => {
  const secrets = scope('secrets', {
    declared: env.integer('PIN', { meaning: 'a number', secret: true }),
    named: env.integer('API_TOKEN', { meaning: 'another' }),
    database: env.url('DATABASE', { meaning: 'where data lives' }),
  })
  const texts = { PIN: 'hunter2', API_TOKEN: 'hunter22', DATABASE: '//ada:hunter222@host' }
  const { message } = failure(texts, { secrets })
  assert.doesNotMatch(message, /hunter/)
  assert.match(message, /PIN .*got a value of 7 characters from \.env/)
  assert.match(message, /API_TOKEN .*got a value of 8 characters/)
  assert.match(message, /DATABASE .*got a value of 20 characters/)
})

test('an empty text is a value for texts and counts as not given elsewhere', () => {
  const empty = { MAIL_HOST: '', MAIL_PORT: '', MAIL_PASSWORD: '' }
  const { host, port } = readScopes({ mail }, source(empty)).mail
  assert.equal(host, '')
  assert.equal(port, 25)
})

test('a scope without a name is refused', () => {
  assert.throws(() => scope('', {}), InvalidArgumentException)
})
