import { ConfigurationError } from '../../base/errors.ts'
import { Dialects } from '../sql/dialects/dialect.ts'

/** What a database URL says, complete. Times are seconds. */
export interface DatabaseSettings {
  readonly dialect: Dialects
  /** File of an SQLite database; null is one that goes with the process. */
  readonly file: string | null
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** Most connections at a time. */
  readonly pool: number
  /** How long a statement waits for a connection of the pool. */
  readonly poolTimeout: number
  readonly connectTimeout: number
  /** How long a statement may run; 0 is for ever. */
  readonly statementTimeout: number
  /** How long a statement waits for a lock of SQLite. */
  readonly busyTimeout: number
  /** Off behind a pooler that cannot do it. */
  readonly pipeline: boolean
  /** Off behind a pooler that hands each statement to another session. */
  readonly prepare: boolean
  readonly tls: 'off' | 'on' | 'unverified'
}

const schemes: Readonly<Record<string, Dialects>> = {
  'sqlite:': Dialects.SQLite,
  'postgres:': Dialects.Postgres,
  'postgresql:': Dialects.Postgres,
  'mariadb:': Dialects.MariaDB,
  'mysql:': Dialects.MariaDB,
}

// Seconds or connections beyond it are a slip, and more than a timer can count.
const mostOption = 1_000_000

const defaultPorts: Readonly<Record<Dialects, number>> = {
  sqlite: 0,
  postgres: 5432,
  mariadb: 3306,
}

/**
 * Reads a database URL: `sqlite:<file>`, `sqlite::memory:`, `postgres://user:password@host/name`,
 * `mariadb://…`, with options such as `?pool=20&statement_timeout=5` behind it.
 * @throws ConfigurationError that never repeats the password.
 */
export function parseDatabaseUrl(text: string): DatabaseSettings {
  const colon = text.indexOf(':')
  const dialect = schemes[text.slice(0, colon + 1).toLowerCase()]
  if (colon === -1 || dialect === undefined) {
    throw refused('it begins with none of sqlite:, postgres:, mariadb:')
  }
  const options = new Options(text)
  const place = dialect === Dialects.SQLite ? filePlace(text.slice(colon + 1)) : serverPlace(text)
  const settings = {
    dialect,
    ...place,
    port: place.port === 0 ? defaultPorts[dialect] : place.port,
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

/** The URL without user and password, for banners and messages. */
export function databaseLabel({ dialect, file, host, port, database }: DatabaseSettings): string {
  if (dialect === Dialects.SQLite) return file === null ? 'sqlite::memory:' : `sqlite:${file}`
  const shown = host.includes(':') ? `[${host}]` : host
  return `${dialect}://${shown}:${port}/${database}`
}

type Place = Pick<DatabaseSettings, 'file' | 'host' | 'port' | 'user' | 'password' | 'database'>

function filePlace(rest: string): Place {
  const path = decoded(rest.split('?', 1)[0] ?? '').replace(/^\/\/(?=\/|[^/])/, '')
  if (path === '') throw refused('it names no file; write sqlite:storage/database.sqlite')
  if (path.includes('\0')) throw refused('the name of its file holds a NUL')
  const file = path === ':memory:' ? null : path
  return { file, host: '', port: 0, user: '', password: '', database: '' }
}

function serverPlace(text: string): Place {
  const url = URL.parse(text)
  if (url === null || url.hostname === '') throw refused('it names no host')
  if (url.hash !== '') throw refused('it holds a #; write %23 for the sign itself')
  const database = decoded(url.pathname.slice(1))
  if (database === '' || database.includes('/')) throw refused('it names no database')
  return {
    file: null,
    host: decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port),
    user: decoded(url.username),
    password: decoded(url.password),
    database,
  }
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
    if (value >= least && value <= mostOption) return value
    throw refused(`${name} is a number from ${least} to ${mostOption}`)
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
