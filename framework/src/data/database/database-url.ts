import { ConfigurationError } from '../../base/errors.ts'
import type { DatabaseSettings } from './database-settings.ts'
import { defaultDatabaseUrl, dialectOf, drivers } from './drivers.ts'

// Seconds or connections beyond it are a slip, and more than a timer can count.
const maxOption = 1_000_000

/**
 * Reads a database URL: a scheme and a file or `:memory:`, or `scheme://user:password@host/name`, with
 * options such as `?pool=20&statement_timeout=5` behind it.
 * @throws ConfigurationError that never repeats the password.
 */
export function parseDatabaseUrl(text: string): DatabaseSettings {
  const colon = text.indexOf(':')
  const dialect = dialectOf(text.slice(0, colon + 1).toLowerCase())
  if (colon === -1 || dialect === undefined) {
    const known = Object.values(drivers).map(({ schemes }) => schemes[0])
    throw refused(`it begins with none of ${known.join(', ')}`)
  }
  const options = new Options(text)
  const { port } = drivers[dialect]
  const place = port === null ? filePlace(text.slice(colon + 1)) : serverPlace(text, port)
  const settings = {
    dialect,
    label: dialect + labelOf(place),
    ...place,
    pool: options.whole('pool', 10, 1),
    poolTimeout: options.number('pool_timeout', 10, 0.001),
    connectTimeout: options.number('connect_timeout', 10, 0.001),
    statementTimeout: options.number('statement_timeout', 30, 0),
    busyTimeout: options.number('busy_timeout', 5, 0),
    pipeline: options.choice('pipeline', ['on', 'off']) === 'on',
    prepare: options.choice('prepare', ['on', 'off']) === 'on',
    tls: options.choice('tls', ['off', 'on', 'unverified']),
  }
  options.refuseRest()
  return settings
}

type Place = Pick<DatabaseSettings, 'file' | 'host' | 'port' | 'user' | 'password' | 'database'>

function filePlace(rest: string): Place {
  const path = decoded(rest.split('?', 1)[0] ?? '').replace(/^\/\/(?=\/|[^/])/, '')
  if (path === '') throw refused(`it names no file; write ${defaultDatabaseUrl}`)
  if (path.includes('\0')) throw refused('the name of its file holds a NUL')
  const file = path === ':memory:' ? null : path
  return { file, host: '', port: 0, user: '', password: '', database: '' }
}

function serverPlace(text: string, defaultPort: number): Place {
  const url = URL.parse(text)
  if (url === null || url.hostname === '') throw refused('it names no host')
  if (url.hash !== '') throw refused('it holds a #; write %23 for the sign itself')
  const database = decoded(url.pathname.slice(1))
  if (database === '' || database.includes('/')) throw refused('it names no database')
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

function labelOf({ file, host, port, database }: Place): string {
  if (host === '') return `:${file ?? ':memory:'}`
  const shown = host.includes(':') ? `[${host}]` : host
  return `://${shown}:${port}/${database}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw refused('it holds a % that begins no %xx; write %25 for the sign itself')
  }
}

function refused(reason: string): ConfigurationError {
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
    throw refused(`${name} is a number from ${least} to ${maxOption}`)
  }

  whole(name: string, fallback: number, least: number): number {
    const value = this.number(name, fallback, least)
    if (Number.isInteger(value)) return value
    throw refused(`${name} is a whole number`)
  }

  choice<const Words extends readonly [string, ...string[]]>(
    name: string,
    words: Words,
  ): Words[number] {
    const text = this.#take(name) ?? words[0]
    const word = words.find((candidate) => candidate === text)
    if (word !== undefined) return word
    throw refused(`${name} is one of ${words.join(', ')}`)
  }

  refuseRest(): void {
    const [name] = [...this.#given.keys()]
    if (name !== undefined) throw refused(`it has no option ${JSON.stringify(name)}`)
  }

  #take(name: string): string | null {
    const text = this.#given.get(name)
    this.#given.delete(name)
    return text
  }
}
