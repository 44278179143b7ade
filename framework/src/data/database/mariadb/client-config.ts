import type { Socket } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import type { PeerCertificate } from 'node:tls'
import type { ConnectionConfig, StreamCallback } from 'mariadb'
import type { DatabaseSettings } from '../database-settings.ts'

/** Each holds memory of the server, which keeps 16,382 of them for all its clients. */
const PREPARED_STATEMENTS = 128

const strictness = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** How the driver is to connect over a socket: in UTC, in strict mode, with slow statements stopped. */
export function clientConfig(settings: DatabaseSettings, socket: Socket): ConnectionConfig {
  const { host, port, user, password, database } = settings
  const config = {
    host,
    port,
    user,
    password,
    database,
    ssl: tlsOf(settings),
    stream: (callback: StreamCallback) => callback(undefined, socket),
    connectTimeout: Math.ceil(settings.connectTimeout * 1000),
    charset: 'utf8mb4',
    initSql: sessionStatement(settings.statementTimeout),
    pipelining: settings.pipeline,
    prepareCacheLength: PREPARED_STATEMENTS,
    dateStrings: true,
    jsonStrings: true,
    bigIntAsNumber: false,
    decimalAsNumber: false,
    insertIdAsNumber: false,
    // Of two columns with one name the last one counts, as in the other databases.
    checkDuplicate: false,
    // Values in errors would end in logs.
    logParam: false,
    // A server is not to send the password elsewhere.
    permitRedirect: false,
    logger: { warning: () => undefined },
  }
  return config
}

/**
 * A comment is run by the server it is written for: MariaDB counts its limit in seconds and stops
 * every statement, MySQL in milliseconds and stops SELECT only.
 */
function sessionStatement(statementTimeout: number): string {
  const limits =
    `/*M! , max_statement_time = ${statementTimeout} */` +
    `/*!50708 , max_execution_time = ${Math.ceil(statementTimeout * 1000)} */`
  return `SET time_zone = '+00:00', sql_mode = '${strictness}' ${limits}`
}

type Tls = Exclude<ConnectionConfig['ssl'], undefined>

function tlsOf({ tls, host }: DatabaseSettings): Tls {
  if (tls === 'off') return false
  const options = {
    rejectUnauthorized: tls === 'on',
    // The driver would compare the certificate with `localhost` where the host is an address.
    checkServerIdentity: (_: string, certificate: PeerCertificate) =>
      checkServerIdentity(host, certificate),
  }
  return options
}
