import { toError } from '../../../base/throwables/to-error.ts'
import { DatabaseError } from '../database-error.ts'
import { serverReport } from './postgres-error.ts'

const reasons: Readonly<Record<string, string>> = {
  '28000': 'the server refused the user',
  '28P01': 'the server refused the user or the password',
  '3D000': 'the server has no database of that name',
  '42501': 'the user may not use that database',
  '53300': 'the server gives no more connections; lower pool= or raise its max_connections',
  '57P03': 'the server is starting or stopping',
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no such host',
}

/** What the driver says when the server has not said anything. */
const driverReasons: readonly (readonly [RegExp, string])[] = [
  [/^timeout expired/, 'it did not answer within connect_timeout'],
  [/does not support SSL/, 'the server does not speak TLS; leave tls= out'],
  [/^SASL/, 'the server wants a password in a way that failed'],
]

/**
 * Why a connection could not be made. The driver's own text is never repeated, and `label` is a URL
 * without user and password.
 */
export function connectError(error: unknown, label: string): DatabaseError {
  const cause = toError(error)
  const native = serverReport(cause)?.code ?? codeOf(cause)
  const said = driverReasons.find(([text]) => text.test(cause.message))?.[1]
  const reason = said ?? reasonOf(native)
  return new DatabaseError('E_CONNECTION_LOST', `no connection to ${label}: ${reason}`, { native })
}

function reasonOf(native: string | null): string {
  if (native === null) return 'it was closed before it was ready'
  if (/CERT|ERR_TLS/.test(native)) return `its certificate is not trusted (${native})`
  return reasons[native] ?? native
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}
