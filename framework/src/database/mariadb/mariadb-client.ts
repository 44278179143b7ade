import type { Socket } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import type { PeerCertificate } from 'node:tls'
import type { ConnectionConfig, StreamCallback } from 'mariadb'
import { ConfigurationError } from '../../base/errors.ts'
import type { ConnectionSettings } from '../connection-settings.ts'

/** Each uses memory of the server, which allows 16,382 of them for all its clients. */
const maxPreparedStatements = 128

const strictness = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** The driver options for a connection over `socket`: UTC, strict mode and a statement timeout. */
export function clientConfig(settings: ConnectionSettings, socket: Socket): ConnectionConfig {
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
    initSql: `SET autocommit = 1, time_zone = '+00:00', sql_mode = '${strictness}', max_statement_time = ${settings.statementTimeout}`,
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

type Tls = Exclude<ConnectionConfig['ssl'], undefined>

function tlsOf({ tls, host }: ConnectionSettings): Tls {
  if (tls === 'off') return false
  const options = {
    rejectUnauthorized: tls === 'on',
    // For an IP address the driver would compare the certificate with `localhost`.
    checkServerIdentity: (_: string, certificate: PeerCertificate) =>
      checkServerIdentity(host, certificate),
  }
  return options
}

/** In the capabilities; MariaDB leaves it out. */
const MYSQL = 1

const protocol = 10
const headerBytes = 4

/** Follows the greeting of a server, which is the first thing that it sends. */
export class ServerGreeting {
  #bytes: Buffer = Buffer.alloc(0)
  #foreignVersion: string | null = null

  /**
   * Closes the connection if the server is not MariaDB, before the driver sends a password. It must be
   * called before the driver listens.
   */
  constructor(socket: Socket) {
    const read = (chunk: Buffer): void => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      if (this.#bytes.length < headerBytes) return
      if (this.#bytes.length < headerBytes + this.#bytes.readUIntLE(0, 3)) return
      socket.off('data', read)
      this.#foreignVersion = foreignVersion(this.#bytes.subarray(headerBytes))
      if (this.#foreignVersion !== null) socket.destroy()
    }
    socket.on('data', read)
  }

  /** @throws ConfigurationError E_DATABASE_SERVER when the server is not MariaDB. */
  assertMariadb(label: string): void {
    if (this.#foreignVersion === null) return
    throw new ConfigurationError(
      'E_DATABASE_SERVER',
      `no connection to ${label}: the server is MySQL ${this.#foreignVersion}, which is not supported; ` +
        'use MariaDB, PostgreSQL or SQLite',
    )
  }
}

/** The version of a server that is not MariaDB; null for MariaDB, and for an error instead of a greeting. */
export function foreignVersion(greeting: Buffer): string | null {
  if (greeting[0] !== protocol) return null
  const end = greeting.indexOf(0, 1)
  const version = greeting.toString('latin1', 1, end)
  // Behind the version: the thread and eight bytes of salt, each with an end.
  const capabilities = end + 1 + 4 + 8 + 1
  if (end === -1 || greeting.length < capabilities + 2) return null
  // Some servers have this prefix for old clients of replication.
  if (version.startsWith('5.5.5-') || version.includes('MariaDB')) return null
  if ((greeting.readUInt16LE(capabilities) & MYSQL) === 0) return null
  return version.replaceAll(/[^\w.+~-]/g, '').slice(0, 40)
}
