import { userInfo } from 'node:os'
import type { ClientConfig, CustomTypesConfig } from 'pg'
import type { ConnectionSettings } from '../connection-settings.ts'

/**
 * The driver options. Sets everything that the driver would otherwise take from the environment,
 * and makes the session format its values the same way whatever the configuration of the server.
 */
export function clientConfig(settings: ConnectionSettings): ClientConfig {
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
    ssl: settings.tls === 'unverified' ? { rejectUnauthorized: false } : settings.tls === 'on',
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

const asText = (text: string): string => text

/** Returns every value as the text that the server sent. */
export const rawValues: CustomTypesConfig = { getTypeParser: () => asText }

const asNumber = Number
const asBytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const parseJson = (text: string): unknown => JSON.parse(text)

/** By type OID. Everything else, notably decimals and times, stays text. */
const readers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  17: asBytes,
  20: BigInt,
  21: asNumber,
  23: asNumber,
  26: asNumber,
  114: parseJson,
  700: asNumber,
  701: asNumber,
  3802: parseJson,
}

/** By type OID: integers as numbers, 64-bit ones as bigint, JSON parsed, bytes as bytes. */
export const plainValues: CustomTypesConfig = {
  getTypeParser: (type: number) => readers[type] ?? asText,
}
