import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatabaseError } from '../database-error.ts'
import {
  brokenError,
  connectError,
  endsSession,
  serverReport,
  statementError,
} from './postgres-errors.ts'
import type { ServerReport } from './postgres-errors.ts'

function report(fields: object): ServerReport {
  const error = Object.assign(new Error('it says: secret'), { severity: 'ERROR', ...fields })
  return serverReport(error) ?? assert.fail('no report')
}

function failure(code: string, more: object = {}): DatabaseError {
  return statementError(report({ code, ...more }), 1)
}

test('each SQLSTATE maps to an error code', () => {
  const expected = {
    '22001': 'E_VALUE',
    '22P02': 'E_VALUE',
    '23001': 'E_FOREIGN_KEY',
    '23502': 'E_NOT_NULL',
    '23503': 'E_FOREIGN_KEY',
    '23505': 'E_DUPLICATE_KEY',
    '23514': 'E_CHECK',
    '40001': 'E_DEADLOCK',
    '40P01': 'E_DEADLOCK',
    '42601': 'E_STATEMENT',
    '42P01': 'E_STATEMENT',
    '08006': 'E_CONNECTION_LOST',
    '53300': 'E_CONNECTION_LOST',
    '55P03': 'E_DATABASE_BUSY',
    '57014': 'E_STATEMENT_TIMEOUT',
    '57P01': 'E_CONNECTION_LOST',
    P0001: 'E_DATABASE',
    XX000: 'E_DATABASE',
  }
  for (const [code, ours] of Object.entries(expected)) {
    assert.equal(failure(code).code, ours, code)
    assert.equal(failure(code).native, code)
  }
})

test('a failure names its constraint, or its column', () => {
  assert.equal(
    failure('23505', { constraint: 'users_email', column: 'x' }).constraint,
    'users_email',
  )
  assert.equal(failure('23502', { column: 'email' }).constraint, 'email')
  assert.match(failure('23502', { column: 'email' }).message, /got none \(email\)$/)
  assert.equal(failure('22001').constraint, null)
})

test('message and detail of the server are repeated only where they cannot contain a value', () => {
  for (const code of ['22P02', '23505', '42P01', '57014', 'P0001', 'XX000', '08006']) {
    const { message, stack = '' } = failure(code, { detail: 'Key (a)=(secret)', hint: 'secret' })
    assert.doesNotMatch(message + stack, /secret/, code)
  }
  assert.match(failure('42P01', { position: '15' }).message, /it says: secret$/)
  assert.match(statementError(report({ code: '42P07' }), 0).message, /it says: secret$/)
  assert.doesNotMatch(statementError(report({ code: '22012' }), 0).message, /secret/)
})

test('the end of a session is recognised by severity or code', () => {
  assert.ok(endsSession(report({ code: '57P01' })))
  assert.ok(endsSession(report({ code: '25P03', severity: 'FATAL' })))
  assert.ok(!endsSession(report({ code: '57014' })))
  assert.equal(failure('25P03', { severity: 'FATAL' }).code, 'E_CONNECTION_LOST')
})

test('an error without a server report is a lost connection with its code', () => {
  const error = Object.assign(new Error('read ECONNRESET secret'), { code: 'ECONNRESET' })
  assert.equal(serverReport(error), null)
  const lost = brokenError(error)
  assert.deepEqual([lost.code, lost.native], ['E_CONNECTION_LOST', 'ECONNRESET'])
  assert.doesNotMatch(lost.message, /secret/)
  assert.equal(brokenError(new Error('Connection terminated unexpectedly')).native, null)
})

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
