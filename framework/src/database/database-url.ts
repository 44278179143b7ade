import { ConfigurationError } from '../base/errors.ts'
import { ServerUrl } from '../base/server-url.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { defaultDatabaseUrl, dialectOf, drivers } from './drivers.ts'

// Larger values are mistakes, and more than a timer can handle.
const maxOption = 1_000_000

/**
 * Parses a database URL: a scheme and a file or `:memory:`, or `scheme://user:password@host/name`,
 * followed by options such as `?pool=20&statement_timeout=5`.
 * @throws ConfigurationError that never contains the password.
 */
export function parseDatabaseUrl(text: string): ConnectionSettings {
  const colon = text.indexOf(':')
  const dialect = dialectOf(text.slice(0, colon + 1).toLowerCase())
  if (colon === -1 || dialect === undefined) {
    const known = Object.values(drivers).map(({ schemes }) => schemes[0])
    throw invalidUrl(`it must start with one of ${known.join(', ')}`)
  }
  const parts = new ServerUrl(text, invalidUrl)
  const { port } = drivers[dialect]
  const location =
    port === null ? fileLocation(text.slice(colon + 1), parts) : serverLocation(text, port, parts)
  const number = (name: string, fallback: number, least: number): number =>
    parts.number(name, fallback, [least, maxOption])
  const settings = {
    dialect,
    label: dialect + labelOf(location),
    ...location,
    pool: number('pool', 10, 1),
    poolTimeout: number('pool_timeout', 10, 0.001),
    connectTimeout: number('connect_timeout', 10, 0.001),
    statementTimeout: number('statement_timeout', 30, 0),
    busyTimeout: number('busy_timeout', 5, 0),
    pipeline: parts.choice('pipeline', ['on', 'off']) === 'on',
    prepare: parts.choice('prepare', ['on', 'off']) === 'on',
    tls: parts.choice('tls', ['off', 'on', 'unverified']),
  }
  if (!Number.isInteger(settings.pool)) throw invalidUrl('pool must be a whole number')
  const { unknown } = parts
  if (unknown === undefined) return settings
  const tls = /^ssl/i.test(unknown) ? '; write tls=on for an encrypted, verified connection' : ''
  throw invalidUrl(`there is no option ${JSON.stringify(unknown)}${tls}`)
}

type Location = Pick<
  ConnectionSettings,
  'file' | 'host' | 'port' | 'user' | 'password' | 'database'
>

function fileLocation(rest: string, parts: ServerUrl): Location {
  const path = parts.decoded(rest.split('?', 1)[0] ?? '').replace(/^\/\/(?=\/|[^/])/, '')
  if (path === '') throw invalidUrl(`it names no file; write ${defaultDatabaseUrl}`)
  if (path.includes('\0')) throw invalidUrl('the name of its file contains a NUL character')
  const file = path === ':memory:' ? null : path
  return { file, host: '', port: 0, user: '', password: '', database: '' }
}

function serverLocation(text: string, defaultPort: number, parts: ServerUrl): Location {
  const url = URL.parse(text)
  if (url === null) throw invalidUrl('it names no host')
  const server = parts.server(url, defaultPort)
  const database = parts.decoded(url.pathname.slice(1))
  if (database === '' || database.includes('/')) throw invalidUrl('it names no database')
  return { file: null, ...server, database }
}

function labelOf({ file, host, port, database }: Location): string {
  if (host === '') return `:${file ?? ':memory:'}`
  const shown = host.includes(':') ? `[${host}]` : host
  return `://${shown}:${port}/${database}`
}

function invalidUrl(reason: string): ConfigurationError {
  return new ConfigurationError('E_DATABASE_URL', `the database URL cannot be used: ${reason}`)
}
