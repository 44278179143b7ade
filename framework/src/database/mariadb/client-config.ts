import type { Socket } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import type { PeerCertificate } from 'node:tls'
import type { ConnectionConfig, StreamCallback } from 'mariadb'
import type { DatabaseSettings } from '../connection-settings.ts'

/** Each uses memory of the server, which allows 16,382 of them for all its clients. */
const maxPreparedStatements = 128

const strictness = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** The driver options for a connection over `socket`: UTC, strict mode and a statement timeout. */
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
    prepareCacheLength: maxPreparedStatements,
    dateStrings: true,
    jsonStrings: true,
    bigIntAsNumber: false,
    decimalAsNumber: false,
    insertIdAsNumber: false,
    // Of two columns with the same name the last one wins, as with the other databases.
    checkDuplicate: false,
    // Values in errors would end up in logs.
    logParam: false,
    // A server must not make the driver send the password elsewhere.
    permitRedirect: false,
    logger: { warning: () => undefined },
  }
  return config
}

function sessionStatement(statementTimeout: number): string {
  return `SET time_zone = '+00:00', sql_mode = '${strictness}', max_statement_time = ${statementTimeout}`
}

type Tls = Exclude<ConnectionConfig['ssl'], undefined>

function tlsOf({ tls, host }: DatabaseSettings): Tls {
  if (tls === 'off') return false
  const options = {
    rejectUnauthorized: tls === 'on',
    // For an IP address the driver would compare the certificate with `localhost`.
    checkServerIdentity: (_: string, certificate: PeerCertificate) =>
      checkServerIdentity(host, certificate),
  }
  return options
}
