import { ConfigurationError } from '../base/errors.ts'
import { ServerUrl } from '../base/server-url.ts'

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
  const { protocol } = url
  if (protocol !== 'redis:' && protocol !== 'rediss:') {
    throw invalidUrl('it must start with redis:// or rediss://')
  }
  const parts = new ServerUrl(text, invalidUrl)
  const seconds = (name: string, fallback: number): number =>
    parts.number(name, fallback, [0.001, maxTimeout], 'a number of seconds')
  const settings = {
    ...parts.server(url, 6379),
    database: databaseOf(url.pathname),
    tls: protocol === 'redis:' ? ('off' as const) : parts.choice('tls', ['on', 'unverified']),
    prefix: prefixOf(parts.text('prefix') ?? ''),
    connectTimeout: seconds('connect_timeout', 5),
    commandTimeout: seconds('command_timeout', 2),
  }
  const { unknown } = parts
  if (unknown !== undefined) throw invalidUrl(`unknown option ${JSON.stringify(unknown)}`)
  return settings
}

/** The URL without user and password, for banners and messages. */
export function redisLabel({ host, port, database, tls }: RedisSettings): string {
  const shown = host.includes(':') ? `[${host}]` : host
  return `${tls === 'off' ? 'redis' : 'rediss'}://${shown}:${port}/${database}`
}

function databaseOf(path: string): number {
  const digits = path.replace(/^\//, '') || '0'
  if (/^\d{1,5}$/.test(digits)) return Number(digits)
  throw invalidUrl('the path must be the number of a database, such as /0')
}

function prefixOf(text: string): string {
  if (text.length <= maxPrefixLength && /^[!-~]*$/.test(text)) return text
  throw invalidUrl(`prefix must be at most ${maxPrefixLength} printable characters without spaces`)
}

function invalidUrl(reason: string): ConfigurationError {
  return new ConfigurationError('E_REDIS_URL', `the Redis URL is invalid: ${reason}`)
}
