import { ConfigurationError } from '../base/errors.ts'

/** The settings in a Redis URL, with defaults. Times are in seconds. */
export interface RedisSettings {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** Number of the database. */
  readonly database: number
  readonly tls: 'off' | 'on' | 'unverified'
  /** Prefix of this application's keys. */
  readonly prefix: string
  readonly connectTimeout: number
  /** Maximum duration of a command. */
  readonly commandTimeout: number
}

const maxPrefixLength = 128
const maxTimeout = 3_600

/**
 * Parses a Redis URL: `redis://user:password@host:6379/0`, or `rediss://…` for TLS, with options such
 * as `?prefix=shop:&command_timeout=1`.
 * @throws ConfigurationError that never shows the password.
 */
export function parseRedisUrl(text: string): RedisSettings {
  const url = URL.parse(text)
  if (url === null) throw invalidUrl('it is not a URL')
  const { protocol, hostname, searchParams } = url
  if (protocol !== 'redis:' && protocol !== 'rediss:') {
    throw invalidUrl('it must start with redis:// or rediss://')
  }
  if (hostname === '') throw invalidUrl('it has no host')
  if (url.hash !== '') throw invalidUrl('it contains a #; write it as %23')
  const settings = {
    host: decoded(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 6379 : Number(url.port),
    user: decoded(url.username),
    password: decoded(url.password),
    database: databaseOf(url.pathname),
    tls: protocol === 'redis:' ? ('off' as const) : tlsOf(take(searchParams, 'tls')),
    prefix: prefixOf(take(searchParams, 'prefix') ?? ''),
    connectTimeout: seconds('connect_timeout', take(searchParams, 'connect_timeout') ?? '5'),
    commandTimeout: seconds('command_timeout', take(searchParams, 'command_timeout') ?? '2'),
  }
  const [unknown] = [...searchParams.keys()]
  if (unknown !== undefined) throw invalidUrl(`unknown option ${JSON.stringify(unknown)}`)
  return settings
}

/** The URL without user and password, for banners and messages. */
export function redisLabel({ host, port, database, tls }: RedisSettings): string {
  const shown = host.includes(':') ? `[${host}]` : host
  return `${tls === 'off' ? 'redis' : 'rediss'}://${shown}:${port}/${database}`
}

function take(options: URLSearchParams, name: string): string | null {
  const text = options.get(name)
  options.delete(name)
  return text
}

function databaseOf(path: string): number {
  const digits = path.replace(/^\//, '') || '0'
  if (/^\d{1,5}$/.test(digits)) return Number(digits)
  throw invalidUrl('the path must be the number of a database, such as /0')
}

function tlsOf(text: string | null): 'on' | 'unverified' {
  if (text === null || text === 'on') return 'on'
  if (text === 'unverified') return text
  throw invalidUrl('tls must be on or unverified')
}

function prefixOf(text: string): string {
  if (text.length <= maxPrefixLength && /^[!-~]*$/.test(text)) return text
  throw invalidUrl(`prefix must be at most ${maxPrefixLength} printable characters without spaces`)
}

function seconds(name: string, text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0.001 && value <= maxTimeout) return value
  throw invalidUrl(`${name} must be a number of seconds from 0.001 to ${maxTimeout}`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalidUrl('it contains a % that is not part of %xx; write it as %25')
  }
}

function invalidUrl(reason: string): ConfigurationError {
  return new ConfigurationError('E_REDIS_URL', `the Redis URL is invalid: ${reason}`)
}
