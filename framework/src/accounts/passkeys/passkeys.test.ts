import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadWebauthn } from './passkeys.ts'

function failure(message: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' }))
}

test('without the package, the error says what to install', async () => {
  const missing = () => failure("Cannot find package '@simplewebauthn/server' imported from x")
  await assert.rejects(loadWebauthn(missing), {
    name: 'ConfigurationError',
    code: 'E_PASSKEYS',
    message: /npm install @simplewebauthn\/server$/,
  })
})

test('any other failure to load is passed on', async () => {
  await assert.rejects(
    loadWebauthn(() => failure("Cannot find module './gone.ts'")),
    { code: 'ERR_MODULE_NOT_FOUND' },
  )
})
