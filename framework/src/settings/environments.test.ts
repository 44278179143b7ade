import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from './environments.ts'

test('each environment is found by its exact name', () => {
  for (const name of ['development', 'staging', 'test', 'production']) {
    assert.equal(Environments.fetch(name), name)
  }
})

test('an unset, unknown, padded or upper-case name is production', () => {
  for (const name of [undefined, '', 'prod', 'Development', ' development', 'development\n']) {
    assert.equal(Environments.fetch(name), Environments.Production)
  }
})
