import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { keptCertificate } from './kept-certificate.ts'
import { localHosts, selfSigned } from './self-signed.ts'

describe('a stored certificate', () => {
  let folder = ''
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'framework-tls-')), 'storage', 'tls')
  })
  afterEach(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }))

  test('is created once, readable by its owner only, and reused', () => {
    const first = keptCertificate(folder)
    assert.deepEqual(keptCertificate(folder), first)
    assert.equal(statSync(join(folder, 'local.pem')).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder), ['local.pem'])
  })

  test('is replaced a day before it expires', () => {
    const made = Date.parse('2030-01-01T00:00:00Z')
    const first = keptCertificate(folder, localHosts, new Date(made))
    const later = (days: number): string =>
      keptCertificate(folder, localHosts, new Date(made + days * 86_400_000)).cert
    assert.equal(later(395), first.cert)
    assert.notEqual(later(396), first.cert)
  })

  test('is replaced for a host it does not cover', () => {
    const first = keptCertificate(folder)
    const second = keptCertificate(folder, ['localhost', 'shop.test'])
    assert.notEqual(second.cert, first.cert)
    assert.equal(keptCertificate(folder, ['shop.test']).cert, second.cert)
  })

  test('is replaced when the file is damaged or its key does not match', () => {
    const first = keptCertificate(folder)
    writeFileSync(join(folder, 'local.pem'), first.key)
    const second = keptCertificate(folder)
    assert.notEqual(second.cert, first.cert)
    writeFileSync(join(folder, 'local.pem'), selfSigned().key + second.cert)
    assert.notEqual(keptCertificate(folder).cert, second.cert)
  })
})
