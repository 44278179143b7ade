import { ConfigurationError } from '../../base/errors.ts'

/** What a Redis URL says, complete. Times are seconds. */
export interface RedisSettings {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** Number of the database. */
  readonly database: number
  readonly tls: 'off' | 'on' | 'unverified'
  /** What the keys of this application begin with. */
  readonly prefix: string
  readonly connectTimeout: number
  /** How long a command may take. */
  readonly commandTimeout: number
}

const maxPrefixLength = 128
const maxTimeout = 3_600

/**
 * Reads a Redis URL: `redis://user:password@host:6379/0`, or `rediss://…` for TLS, with options such
 * as `?prefix=shop:&command_timeout=1` behind it.
 * @throws ConfigurationError that never repeats the password.
 */
export function parseRedisUrl(text: string): RedisSettings {
  const url = URL.parse(text)
  if (url === null) throw refused('it is no URL')
  const { protocol, hostname, searchParams } = url
  if (protocol !== 'redis:' && protocol !== 'rediss:') {
    throw refused('it begins with neither redis:// nor rediss://')
  }
  if (hostname === '') throw refused('it names no host')
  if (url.hash !== '') throw refused('it holds a #; write %23 for the sign itself')
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
  if (unknown !== undefined) throw refused(`it has no option ${JSON.stringify(unknown)}`)
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
  throw refused('what follows the host is the number of a database, such as /0')
}

function tlsOf(text: string | null): 'on' | 'unverified' {
  if (text === null || text === 'on') return 'on'
  if (text === 'unverified') return text
  throw refused('tls is one of on, unverified')
}

function prefixOf(text: string): string {
  if (text.length <= maxPrefixLength && /^[!-~]*$/.test(text)) return text
  throw refused(`prefix is at most ${maxPrefixLength} letters, digits and signs without blanks`)
}

function seconds(name: string, text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0.001 && value <= maxTimeout) return value
  throw refused(`${name} is a number of seconds from 0.001 to ${maxTimeout}`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw refused('it holds a % that begins no %xx; write %25 for the sign itself')
  }
}

function refused(reason: string): ConfigurationError {
  return new ConfigurationError('E_REDIS_URL', `the Redis URL cannot be used: ${reason}`)
}
