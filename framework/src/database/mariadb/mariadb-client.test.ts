import assert from 'node:assert/strict'
import { createServer, Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { once } from 'node:events'
import { parseDatabaseUrl } from '../database-url.ts'
import { connect } from '../connect.ts'
import { clientConfig, foreignVersion } from './mariadb-client.ts'

function configOf(options: string): ReturnType<typeof clientConfig> {
  const settings = parseDatabaseUrl(`mariadb://me:hunter2@10.0.0.7/shop?${options}`)
  return clientConfig(settings, new Socket())
}

describe('the driver options', () => {
  test('the driver uses the given socket', () => {
    const socket = new Socket()
    const config = clientConfig(parseDatabaseUrl('mariadb://me@host/shop'), socket)
    const used: unknown[] = []
    config.stream?.((error, stream) => used.push(error, stream))
    assert.deepEqual(used, [undefined, socket])
  })

  test('values stay out of errors, and the password is sent to its server only', () => {
    const { logParam, permitRedirect, multipleStatements } = Object(configOf(''))
    assert.deepEqual([logParam, permitRedirect, multipleStatements], [false, false, undefined])
  })

  test('the statement timeout is set in seconds, and 0 means none', () => {
    const { initSql } = configOf('statement_timeout=1.5')
    assert.match(String(initSql), /, max_statement_time = 1\.5$/)
    assert.match(String(configOf('statement_timeout=0').initSql), /, max_statement_time = 0$/)
  })

  test('pipelining follows the URL', () => {
    assert.equal(configOf('').pipelining, true)
    assert.equal(configOf('pipeline=off').pipelining, false)
  })
})

describe('TLS', () => {
  test('is off by default', () => {
    assert.equal(configOf('').ssl, false)
  })

  test('accepts only a trusted certificate, unless told otherwise', () => {
    assert.equal(Object(configOf('tls=on').ssl).rejectUnauthorized, true)
    assert.equal(Object(configOf('tls=unverified').ssl).rejectUnauthorized, false)
  })

  test('compares the certificate with the host of the URL, whatever the driver passes', () => {
    const { checkServerIdentity } = Object(configOf('tls=on').ssl)
    const certificate = (subjectaltname: string): unknown => ({ subject: {}, subjectaltname })
    assert.equal(checkServerIdentity('localhost', certificate('IP Address:10.0.0.7')), undefined)
    const error = checkServerIdentity('localhost', certificate('DNS:localhost'))
    assert.equal(error.code, 'ERR_TLS_CERT_ALTNAME_INVALID')
  })
})

const capabilities = { mysql: 0xff_ff, mariadb: 0xff_fe }

function greeting(version: string, low: number = capabilities.mysql): Buffer {
  const salt = Buffer.from('12345678\0')
  const rest = Buffer.from([low & 255, low >> 8, 45, 2, 0, 0xff, 0xdf, 21, ...Buffer.alloc(10)])
  const end = Buffer.from('123456789012\0caching_sha2_password\0')
  const payload = [Buffer.from(`\n${version}\0`), Buffer.from([7, 0, 0, 0]), salt, rest, end]
  return Buffer.concat(payload)
}

/** A server that greets, in pieces, and notes what it is sent. */
async function fakeServer(t: TestContext, payload: Buffer): Promise<[number, () => number]> {
  let received = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => (received += chunk.length))
    const packet = Buffer.concat([Buffer.from([payload.length, 0, 0, 0]), payload])
    socket.write(packet.subarray(0, 3))
    setImmediate(() => socket.write(packet.subarray(3)))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(isAddress(address))
  return [address.port, () => received]
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

test('a MySQL server is refused with one sentence, before a password is sent', async (t) => {
  const [port, received] = await fakeServer(t, greeting('8.4.3'))
  await assert.rejects(connect(`mysql://user:secret@127.0.0.1:${port}/shop`), {
    name: 'ConfigurationError',
    code: 'E_DATABASE_SERVER',
    message: `no connection to mariadb://127.0.0.1:${port}/shop: the server is MySQL 8.4.3, which is not supported; use MariaDB, PostgreSQL or SQLite`,
  })
  assert.equal(received(), 0)
})

test('MariaDB is identified by its version or its capabilities, and an error is left to the driver', () => {
  assert.equal(foreignVersion(greeting('8.4.3')), '8.4.3')
  assert.equal(foreignVersion(greeting('8.0.11-TiDB-v7.5.0')), '8.0.11-TiDB-v7.5.0')
  assert.equal(foreignVersion(greeting('5.5.5-10.11.6-MariaDB')), null)
  assert.equal(foreignVersion(greeting('11.4.2-MariaDB-deb12')), null)
  assert.equal(foreignVersion(greeting('5.5.5-10.6.1 2.3.2-maxscale')), null)
  assert.equal(foreignVersion(greeting('custom', capabilities.mariadb)), null)
  assert.equal(foreignVersion(Buffer.from([255, 16, 4])), null)
  assert.equal(foreignVersion(Buffer.from('\n8.4.3')), null)
})
