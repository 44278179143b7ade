import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authScope } from './accounts-settings.ts'
import { readScopes } from '../settings/scope.ts'
import type { ValuesOf } from '../settings/scope.ts'

function read(texts: Record<string, string>): ValuesOf<typeof authScope> {
  const lookup = (name: string): { text: string; origin: string } | null => {
    const text = texts[name]
    return text === undefined ? null : { text, origin: 'the environment' }
  }
  return readScopes({ auth: authScope }, { environment: 'test', lookup }).auth
}

test('without settings links live a day and an hour, devices 30 days and at most 180, and tabs have 5 seconds', () => {
  assert.deepEqual(read({}), {
    verificationTtl: 86_400,
    recoveryTtl: 3600,
    rememberName: 'remember',
    rememberTtl: 2_592_000,
    rememberMax: 15_552_000,
    rememberGrace: 5,
    verify: 'link',
    breaches: '',
  })
})

test('every setting is read', () => {
  const texts = {
    AUTH_VERIFICATION_TTL: '60',
    AUTH_RECOVERY_TTL: '604800',
    AUTH_REMEMBER_NAME: '__Host-device.1',
    AUTH_REMEMBER_TTL: '34560000',
    AUTH_REMEMBER_MAX: '60',
    AUTH_REMEMBER_GRACE: '0',
    AUTH_VERIFY: 'confirm',
    PASSWORD_BREACHES: 'storage/breaches',
  }
  assert.deepEqual(read(texts), {
    verificationTtl: 60,
    recoveryTtl: 604_800,
    rememberName: '__Host-device.1',
    rememberTtl: 34_560_000,
    rememberMax: 60,
    rememberGrace: 0,
    verify: 'confirm',
    breaches: 'storage/breaches',
  })
})

for (const [name, text, expected] of [
  ['AUTH_VERIFICATION_TTL', '59', 'a whole number from 60 to 31536000'],
  ['AUTH_VERIFICATION_TTL', '1 day', 'a whole number from 60 to 31536000'],
  ['AUTH_RECOVERY_TTL', '0', 'a whole number from 60 to 604800'],
  ['AUTH_RECOVERY_TTL', '604801', 'a whole number from 60 to 604800'],
  ['AUTH_RECOVERY_TTL', '3600.5', 'a whole number from 60 to 604800'],
  ['AUTH_REMEMBER_NAME', 'a b', 'a cookie name of letters, digits and -_.'],
  ['AUTH_REMEMBER_NAME', 'a; Domain=evil.example', 'a cookie name of letters, digits and -_.'],
  ['AUTH_REMEMBER_NAME', 'überall', 'a cookie name of letters, digits and -_.'],
  ['AUTH_REMEMBER_TTL', '34560001', 'a whole number from 60 to 34560000'],
  ['AUTH_REMEMBER_MAX', '59', 'a whole number, 60 or more'],
  ['AUTH_REMEMBER_GRACE', '-1', 'a whole number from 0 to 60'],
  ['AUTH_REMEMBER_GRACE', '61', 'a whole number from 0 to 60'],
] as const) {
  test(`${name}=${text} is refused at start, and the error says what is expected`, () => {
    assert.throws(
      () => read({ [name]: text }),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'E_CONFIG_INVALID')
        const sentence = `must be ${expected}, got ${JSON.stringify(text)} from the environment`
        assert.ok(error.message.includes(name) && error.message.includes(sentence), error.message)
        return true
      },
    )
  })
}

test('all invalid settings are listed in one error', () => {
  const texts = { AUTH_RECOVERY_TTL: 'x', AUTH_REMEMBER_NAME: ';', AUTH_REMEMBER_GRACE: '9999' }
  assert.throws(() => read(texts), { message: /^3 settings cannot be used:/ })
})
