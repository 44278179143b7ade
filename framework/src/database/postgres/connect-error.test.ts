import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectError } from './connect-error.ts'

const label = 'postgres://host:5432/app'

test('a failed connection says where to and why', () => {
  const cases: [object, RegExp][] = [
    [{ code: '28P01', severity: 'FATAL' }, /rejected the user or the password$/],
    [{ code: '3D000', severity: 'FATAL' }, /no database with that name$/],
    [{ code: '53300', severity: 'FATAL' }, /no more connections; lower pool=/],
    [{ code: 'ECONNREFUSED' }, /nothing is listening there$/],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /certificate is not trusted \(DEPTH_ZERO/],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /certificate is not trusted/],
    [{ code: 'EHOSTUNREACH' }, /EHOSTUNREACH$/],
    [{ message: 'timeout expired' }, /did not answer within connect_timeout$/],
    [{ message: 'The server does not support SSL connections' }, /does not support TLS/],
    [{ message: 'SASL: client password must be a string' }, /password exchange/],
    [{}, /closed before it was ready$/],
  ]
  for (const [fields, text] of cases) {
    const error = connectError(Object.assign(new Error('the secret'), fields), label)
    assert.equal(error.code, 'E_CONNECTION_LOST')
    assert.ok(error.message.startsWith(`no connection to ${label}: `))
    assert.match(error.message, text)
    assert.doesNotMatch(error.message, /secret/)
  }
})
