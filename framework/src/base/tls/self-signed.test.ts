import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { InvalidArgumentException } from '../errors.ts'
import { selfSigned } from './self-signed.ts'

test('the certificate is valid for its hosts and no others', () => {
  const hosts = [
    'localhost',
    'shop.test',
    '127.0.0.1',
    '::1',
    '2001:db8::7:0:1',
    '::ffff:192.0.2.1',
  ]
  const certificate = new X509Certificate(selfSigned({ hosts }).cert)
  assert.equal(certificate.subject, 'CN=localhost')
  assert.equal(certificate.checkHost('shop.test'), 'shop.test')
  assert.equal(certificate.checkHost('example.org'), undefined)
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1')
  assert.equal(certificate.checkIP('::1'), '::1')
  assert.equal(certificate.checkIP('2001:db8::7:0:1'), '2001:db8::7:0:1')
  assert.equal(certificate.checkIP('127.0.0.2'), undefined)
})

test('it is signed by its own key and may sign no other certificate', () => {
  const { key, cert } = selfSigned()
  const certificate = new X509Certificate(cert)
  assert(certificate.checkPrivateKey(createPrivateKey(key)))
  assert(certificate.verify(certificate.publicKey))
  assert.equal(certificate.ca, false)
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1'])
})

test('it is valid for 397 days and each one has its own serial number', () => {
  const now = new Date('2030-02-03T04:05:06Z')
  const first = new X509Certificate(selfSigned({ now }).cert)
  const second = new X509Certificate(selfSigned({ now }).cert)
  assert.equal(Date.parse(first.validFrom), now.getTime() - 300_000)
  assert.equal(Date.parse(first.validTo) - Date.parse(first.validFrom), 397 * 86_400_000)
  assert.notEqual(first.serialNumber, second.serialNumber)
})

test('a certificate can pass the year 2050, where dates change their form', () => {
  const certificate = new X509Certificate(
    selfSigned({ now: new Date('2049-12-31T00:00:00Z') }).cert,
  )
  assert.equal(new Date(certificate.validTo).getUTCFullYear(), 2051)
})

test('no hosts are refused', () => {
  assert.throws(() => selfSigned({ hosts: [] }), InvalidArgumentException)
})

test('a client that trusts it gets a response over TLS; one that does not fails', async () => {
  const { key, cert } = selfSigned()
  const server = createServer({ key, cert }, (_request, response) => response.end('hello'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const address = server.address()
    assert(typeof address === 'object' && address !== null)
    const { port } = address
    assert.equal(await read(`https://127.0.0.1:${port}/`, cert), 'hello')
    await assert.rejects(read(`https://127.0.0.1:${port}/`), {
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('openssl, where there is one, finds nothing wrong with it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-tls-'))
  try {
    const file = join(folder, 'cert.pem')
    // Contents of 128 and of 256 bytes and more have lengths of their own.
    for (const count of [1, 10, 60]) {
      const hosts = Array.from({ length: count }, (_, at) => `host${at}.test`)
      writeFileSync(file, selfSigned({ hosts }).cert)
      const checks = ['-x509_strict', '-purpose', 'sslserver', '-CAfile']
      const said = openssl(['verify', ...checks, file, file])
      if (said !== null) assert.match(said, /: OK\n$/)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function openssl(args: string[]): string | null {
  try {
    return execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function read(url: string, ca?: string): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { agent: false, ...(ca === undefined ? {} : { ca }) }
    get(url, options, resolve).once('error', reject)
  })
  return Buffer.concat(await response.toArray()).toString()
}
