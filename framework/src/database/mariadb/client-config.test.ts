import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { parseDatabaseUrl } from '../database-url.ts'
import { clientConfig } from './client-config.ts'

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
