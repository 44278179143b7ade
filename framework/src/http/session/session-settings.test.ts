import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readScopes } from '../../settings/scope.ts'
import { sessionScope } from './session-settings.ts'
import type { SessionValues } from './session-settings.ts'

function read(texts: Record<string, string>): SessionValues {
  const lookup = (name: string): { text: string; origin: string } | null => {
    const text = texts[name]
    return text === undefined ? null : { text, origin: 'the environment' }
  }
  return readScopes({ session: sessionScope }, { environment: 'test', lookup }).session
}

test('without settings sessions are idle for 2 hours and live for 24 at most', () => {
  assert.deepEqual(read({}), { name: 'session', prefix: '', idle: 7200, lifetime: 86_400 })
})

test('SESSION_NAME, COOKIE_PREFIX, SESSION_IDLE and SESSION_LIFETIME are read', () => {
  const texts = {
    SESSION_NAME: '__Host-sid',
    COOKIE_PREFIX: '__Host-',
    SESSION_IDLE: '600',
    SESSION_LIFETIME: '1200',
  }
  assert.deepEqual(read(texts), {
    name: '__Host-sid',
    prefix: '__Host-',
    idle: 600,
    lifetime: 1200,
  })
})

for (const [name, text] of [
  ['SESSION_NAME', 'a b'],
  ['SESSION_NAME', 'a;Secure'],
  ['COOKIE_PREFIX', '__host-'],
  ['SESSION_IDLE', '119'],
  ['SESSION_IDLE', '120.5'],
  ['SESSION_LIFETIME', '0'],
  ['SESSION_LIFETIME', 'never'],
] as const) {
  test(`${name}=${text} is refused at start`, () => {
    assert.throws(() => read({ [name]: text }), { code: 'E_CONFIG_INVALID' })
  })
}
