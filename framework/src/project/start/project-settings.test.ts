import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localUrl } from './project-settings.ts'

test('a server on this machine has the name that browsers allow passkeys at', () => {
  const at = (host: string): string => localUrl({ host, port: 8087, https: false })
  assert.equal(at('127.0.0.1'), 'http://localhost:8087')
  assert.equal(at('0.0.0.0'), 'http://localhost:8087')
  assert.equal(at('::'), 'http://localhost:8087')
  assert.equal(at('::1'), 'http://[::1]:8087')
  assert.equal(at('192.0.2.7'), 'http://192.0.2.7:8087')
})

test('an encrypted server is reached by https', () => {
  assert.equal(localUrl({ host: 'localhost', port: 443, https: true }), 'https://localhost:443')
})
