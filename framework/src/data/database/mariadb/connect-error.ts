import { DatabaseError } from '../database-error.ts'
import { driverError, nativeCode } from './driver-error.ts'
import type { DriverError } from './driver-error.ts'

/**
 * Why a connection could not be made. The driver's own text is never repeated, and `label` is a URL
 * without user and password.
 */
export function connectError(thrown: unknown, label: string): DatabaseError {
  const error = driverError(thrown)
  const text = `no connection to ${label}: ${reasonOf(error)}`
  return new DatabaseError('E_CONNECTION_LOST', text, { native: nativeCode(error) })
}

const reasons: Readonly<Record<string, string>> = {
  '1040': 'the server gives no more connections; lower pool= or raise its max_connections',
  '1044': 'the user may not use that database',
  '1045': 'the server refused the user or the password',
  '1049': 'the server has no database of that name',
  '1129': 'the server has blocked this machine after too many failed attempts',
  '1130': 'the server takes no connections from this machine',
  '1203': 'the server gives this user no more connections; lower pool=',
  '1226': 'the user has used up what the server allows it',
  '1698': 'the server refused the user or the password',
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no such host',
  ER_CONNECTION_TIMEOUT: 'it did not answer within connect_timeout',
  ER_SERVER_SSL_DISABLED: 'the server does not speak TLS; leave tls= out',
}

function reasonOf(error: DriverError): string {
  const native = nativeCode(error)
  if (native === null) return 'it was closed before it was ready'
  if (/CERT|ERR_TLS|ER_TLS|SELF_SIGNED|SIGNATURE/.test(native)) {
    return `its certificate is not trusted (${native})`
  }
  return reasons[native] ?? native
}
