import { DatabaseError } from '../database-error.ts'
import { driverError, nativeCode } from './driver-error.ts'
import type { DriverError } from './driver-error.ts'

/**
 * Explains why a connection failed. The message of the driver is never repeated, and `label` is a
 * URL without user and password.
 */
export function connectError(thrown: unknown, label: string): DatabaseError {
  const error = driverError(thrown)
  const text = `no connection to ${label}: ${reasonOf(error)}`
  return new DatabaseError('E_CONNECTION_LOST', text, { native: nativeCode(error) })
}

const reasons: Readonly<Record<string, string>> = {
  '1040': 'the server accepts no more connections; lower pool= or raise its max_connections',
  '1044': 'the user has no access to that database',
  '1045': 'the server rejected the user or the password',
  '1049': 'the server has no database with that name',
  '1129': 'the server has blocked this machine after too many failed attempts',
  '1130': 'the server accepts no connections from this machine',
  '1203': 'the server accepts no more connections from this user; lower pool=',
  '1226': 'the user has exceeded a resource limit of the server',
  '1698': 'the server rejected the user or the password',
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'there is no such host',
  ER_CONNECTION_TIMEOUT: 'it did not answer within connect_timeout',
  ER_SERVER_SSL_DISABLED: 'the server does not support TLS; remove tls= from the URL',
}

function reasonOf(error: DriverError): string {
  const native = nativeCode(error)
  if (native === null) return 'the connection was closed before it was ready'
  if (/CERT|ERR_TLS|ER_TLS|SELF_SIGNED|SIGNATURE/.test(native)) {
    return `its certificate is not trusted (${native})`
  }
  return reasons[native] ?? native
}
