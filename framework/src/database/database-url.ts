import { ConfigurationError } from '../base/errors.ts'
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
  const options = new Options(text)
  const { port } = drivers[dialect]
  const location = port === null ? fileLocation(text.slice(colon + 1)) : serverLocation(text, port)
  const settings = {
    dialect,
    label: dialect + labelOf(location),
    ...location,
    pool: options.whole('pool', 10, 1),
    poolTimeout: options.number('pool_timeout', 10, 0.001),
    connectTimeout: options.number('connect_timeout', 10, 0.001),
    statementTimeout: options.number('statement_timeout', 30, 0),
    busyTimeout: options.number('busy_timeout', 5, 0),
    pipeline: options.choice('pipeline', ['on', 'off']) === 'on',
    prepare: options.choice('prepare', ['on', 'off']) === 'on',
    tls: options.choice('tls', ['off', 'on', 'unverified']),
  }
  options.rejectUnknown()
  return settings
}

type Location = Pick<
  ConnectionSettings,
  'file' | 'host' | 'port' | 'user' | 'password' | 'database'
>

function fileLocation(rest: string): Location {
  const path = decoded(rest.split('?', 1)[0] ?? '').replace(/^\/\/(?=\/|[^/])/, '')
  if (path === '') throw invalidUrl(`it names no file; write ${defaultDatabaseUrl}`)
  if (path.includes('\0')) throw invalidUrl('the name of its file contains a NUL character')
  const file = path === ':memory:' ? null : path
  return { file, host: '', port: 0, user: '', password: '', database: '' }
}

function serverLocation(text: string, defaultPort: number): Location {
  const url = URL.parse(text)
  if (url === null || url.hostname === '') throw invalidUrl('it names no host')
  if (url.hash !== '') throw invalidUrl('it contains a #; write it as %23')
  const database = decoded(url.pathname.slice(1))
  if (database === '' || database.includes('/')) throw invalidUrl('it names no database')
  const port = Number(url.port)
  return {
    file: null,
    host: decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === 0 ? defaultPort : port,
    user: decoded(url.username),
    password: decoded(url.password),
    database,
  }
}

function labelOf({ file, host, port, database }: Location): string {
  if (host === '') return `:${file ?? ':memory:'}`
  const shown = host.includes(':') ? `[${host}]` : host
  return `://${shown}:${port}/${database}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalidUrl(
      'it contains a % that is not followed by two hexadecimal digits; write it as %25',
    )
  }
}

function invalidUrl(reason: string): ConfigurationError {
  return new ConfigurationError('E_DATABASE_URL', `the database URL cannot be used: ${reason}`)
}

class Options {
  readonly #given: URLSearchParams

  constructor(text: string) {
    const mark = text.indexOf('?')
    this.#given = new URLSearchParams(mark === -1 ? '' : text.slice(mark + 1))
  }

  number(name: string, fallback: number, least: number): number {
    const text = this.#take(name)
    if (text === null) return fallback
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= maxOption) return value
    throw invalidUrl(`${name} must be a number from ${least} to ${maxOption}`)
  }

  whole(name: string, fallback: number, least: number): number {
    const value = this.number(name, fallback, least)
    if (Number.isInteger(value)) return value
    throw invalidUrl(`${name} must be a whole number`)
  }

  choice<const Words extends readonly [string, ...string[]]>(
    name: string,
    words: Words,
  ): Words[number] {
    const text = this.#take(name) ?? words[0]
    const word = words.find((candidate) => candidate === text)
    if (word !== undefined) return word
    throw invalidUrl(`${name} must be one of ${words.join(', ')}`)
  }

  rejectUnknown(): void {
    const [name] = [...this.#given.keys()]
    if (name === undefined) return
    const tls = /^ssl/i.test(name) ? '; write tls=on for an encrypted, verified connection' : ''
    throw invalidUrl(`there is no option ${JSON.stringify(name)}${tls}`)
  }

  #take(name: string): string | null {
    const text = this.#given.get(name)
    this.#given.delete(name)
    return text
  }
}
