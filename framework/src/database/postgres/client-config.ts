import { userInfo } from 'node:os'
import type { ClientConfig } from 'pg'
import type { DatabaseSettings } from '../connection-settings.ts'

/**
 * The driver options. Sets everything that the driver would otherwise take from the environment,
 * and makes the session format its values the same way whatever the configuration of the server.
 */
export function clientConfig(settings: DatabaseSettings): ClientConfig {
  const session = {
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: 3,
    statement_timeout: Math.ceil(settings.statementTimeout * 1000),
  }
  return {
    host: settings.host,
    port: settings.port,
    user: settings.user === '' ? userInfo().username : settings.user,
    password: () => settings.password,
    database: settings.database,
    ssl: tlsOf(settings),
    sslnegotiation: 'postgres',
    application_name: 'framework',
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: Math.ceil(settings.connectTimeout * 1000),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: settings.pipeline,
  }
}

function tlsOf({ tls }: DatabaseSettings): boolean | { rejectUnauthorized: false } {
  return tls === 'unverified' ? { rejectUnauthorized: false } : tls === 'on'
}
