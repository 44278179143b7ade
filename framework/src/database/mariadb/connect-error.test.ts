import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connectError } from './connect-error.ts'

const label = 'mariadb://db.example:3306/shop'

describe('a connection that failed', () => {
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, string, string])[] = [
    [{ errno: 1045, sqlState: '28000' }, '1045', 'the server rejected the user or the password'],
    [{ errno: 1049, sqlState: '42000' }, '1049', 'the server has no database with that name'],
    [
      { errno: 1040, sqlState: '08004' },
      '1040',
      'the server accepts no more connections; lower pool= or raise its max_connections',
    ],
    [{ errno: -111, code: 'ECONNREFUSED' }, 'ECONNREFUSED', 'nothing is listening there'],
    [
      { errno: 45_012, code: 'ER_CONNECTION_TIMEOUT' },
      'ER_CONNECTION_TIMEOUT',
      'it did not answer within connect_timeout',
    ],
    [
      { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    [
      { errno: 45_059, code: 'ER_TLS_IDENTITY_ERROR' },
      'ER_TLS_IDENTITY_ERROR',
      'its certificate is not trusted (ER_TLS_IDENTITY_ERROR)',
    ],
    [{ errno: 1862, sqlState: 'HY000' }, '1862', '1862'],
  ]
  for (const [fields, native, reason] of cases) {
    test(`for ${native} says why, without user and password`, () => {
      const error = connectError(
        Object.assign(new Error("for user 'root' with hunter2"), fields),
        label,
      )
      assert.equal(error.code, 'E_CONNECTION_LOST')
      assert.equal(error.native, native)
      assert.equal(error.message, `no connection to ${label}: ${reason}`)
    })
  }

  test('without any code was closed before it was ready', () => {
    assert.match(connectError(new Error('hunter2'), label).message, /closed before it was ready$/)
  })
})
