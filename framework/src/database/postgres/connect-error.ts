import { toError } from '../../base/to-error.ts'
import { DatabaseError } from '../database-error.ts'
import { serverReport } from './postgres-error.ts'

const reasons: Readonly<Record<string, string>> = {
  '28000': 'the server rejected the user',
  '28P01': 'the server rejected the user or the password',
  '3D000': 'the server has no database with that name',
  '42501': 'the user has no access to that database',
  '53300': 'the server accepts no more connections; lower pool= or raise its max_connections',
  '57P03': 'the server is starting or stopping',
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'there is no such host',
}

/** Messages of the driver, when the server has not responded. */
const driverReasons: readonly (readonly [RegExp, string])[] = [
  [/^timeout expired/, 'it did not answer within connect_timeout'],
  [/does not support SSL/, 'the server does not support TLS; remove tls= from the URL'],
  [/^SASL/, 'the password exchange with the server failed'],
]

/**
 * Explains why a connection failed. The message of the driver is never repeated, and `label` is a
 * URL without user and password.
 */
export function connectError(error: unknown, label: string): DatabaseError {
  const cause = toError(error)
  const native = serverReport(cause)?.code ?? codeOf(cause)
  const known = driverReasons.find(([text]) => text.test(cause.message))?.[1]
  const reason = known ?? reasonOf(native)
  return new DatabaseError('E_CONNECTION_LOST', `no connection to ${label}: ${reason}`, { native })
}

function reasonOf(native: string | null): string {
  if (native === null) return 'the connection was closed before it was ready'
  if (/CERT|ERR_TLS/.test(native)) return `its certificate is not trusted (${native})`
  return reasons[native] ?? native
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}
