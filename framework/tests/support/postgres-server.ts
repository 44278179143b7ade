import { execFile } from 'node:child_process'
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { selfSigned } from '../../src/base/tls/self-signed.ts'
import type { DatabaseServer } from './database-server.ts'
import { freePort } from './free-port.ts'
import { GuardedProcess } from './guarded-process.ts'
import { copyOnce } from './made-once.ts'
import { findPostgresPrograms, serverUser, withinReach } from './postgres-programs.ts'
import type { PostgresPrograms } from './postgres-programs.ts'
import { runningProcesses } from './running-processes.ts'
import { programMissing } from './test-programs.ts'
import { waitFor } from './wait-for.ts'

const password = 'let me in'

/**
 * The PostgreSQL at `TEST_POSTGRES_URL`, or one of our own.
 * @throws Error that says why there is none.
 */
export function startPostgres(): Promise<DatabaseServer> {
  const given = process.env['TEST_POSTGRES_URL'] ?? ''
  return given === '' ? startOwnPostgres() : Promise.resolve(foreignServer(new URL(given)))
}

/** A PostgreSQL server of our own. */
export interface OwnPostgresServer extends DatabaseServer {
  /** File of its self-signed certificate for localhost and 127.0.0.1. */
  readonly certificate: string
}

/**
 * Starts a PostgreSQL on a free port, with these settings added to the usual ones of tests.
 * @throws Error that says why there is none.
 */
export async function startOwnPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<OwnPostgresServer> {
  const found = findPostgresPrograms()
  if (found === null) throw new Error(programMissing('PostgreSQL'))
  const folder = mkdtempSync(join(tmpdir(), 'framework-postgres-'))
  const programs = withinReach(found, join(folder, 'programs'))
  const env = { LD_LIBRARY_PATH: linkLibraries(folder, programs) }
  own(folder)
  try {
    await initialize(programs, folder, env)
    const server = new OwnPostgres(programs.folder, folder, env, await freePort(), settings)
    await server.restart()
    return server
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

class OwnPostgres implements OwnPostgresServer {
  readonly port: number
  readonly certificate: string
  readonly #program: string
  readonly #folder: string
  readonly #env: Readonly<Record<string, string>>
  readonly #settings: Readonly<Record<string, string>>
  #process: GuardedProcess | null = null

  constructor(
    programs: string,
    folder: string,
    env: Readonly<Record<string, string>>,
    port: number,
    settings: Readonly<Record<string, string>>,
  ) {
    this.port = port
    this.certificate = join(folder, 'server.crt')
    this.#program = join(programs, 'postgres')
    this.#folder = folder
    this.#env = env
    this.#settings = settings
  }

  url(database: string): string {
    return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}`
  }

  createDatabase(): Promise<string> {
    // Hundreds of them: without their content in the log each takes a third of the time.
    return createDatabase((name) => this.url(name), 'STRATEGY file_copy')
  }

  async kill(): Promise<void> {
    const [pid = ''] = readFileSync(join(this.#folder, 'data/postmaster.pid'), 'utf8').split('\n')
    const everyone = [Number(pid), ...childrenOf(Number(pid))]
    for (const one of everyone) killProcess(one)
    await this.#process?.end('keep')
    this.#process = null
    await waitFor('the end of the server', () => !everyone.some(isRunning))
  }

  async restart(): Promise<void> {
    await this.#process?.end('keep')
    const flags = serverFlags(this.#folder, this.port, this.#settings)
    const started = new GuardedProcess(this.#program, flags, {
      user: serverUser,
      env: this.#env,
      folder: this.#folder,
    })
    this.#process = started
    await waitFor('PostgreSQL', () => answers(this.url('postgres'))).catch(() => {
      throw new Error(`PostgreSQL did not start: ${started.errors}`)
    })
  }

  async stop(): Promise<void> {
    await this.#process?.end()
    this.#process = null
  }
}

/** A server run by others: it is used, never stopped. */
function foreignServer(base: URL): DatabaseServer {
  const refuse = (): Promise<never> => Promise.reject(new Error('this server is not ours'))
  const url = (database: string): string => {
    const [name = '', options = ''] = database.split('?')
    return Object.assign(new URL(base), { pathname: name, search: options }).href
  }
  return {
    port: Number(base.port === '' ? 5432 : base.port),
    url,
    createDatabase: () => createDatabase(url),
    kill: refuse,
    restart: refuse,
    stop: () => Promise.resolve(),
  }
}

async function initialize(
  { folder: programs }: PostgresPrograms,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const secret = join(folder, 'password')
  const { key, cert } = selfSigned({ hosts: ['localhost', '127.0.0.1'] })
  for (const [name, content] of Object.entries({
    password,
    'server.key': key,
    'server.crt': cert,
  })) {
    writeFileSync(join(folder, name), content, { mode: 0o600 })
    own(join(folder, name))
  }
  const flags = ['--auth=scram-sha-256', '--username=postgres', `--pwfile=${secret}`]
  const look = ['--encoding=UTF8', '--locale=C', '--no-sync']
  const { PATH = '' } = process.env
  await copyOnce('postgres', join(folder, 'data'), async (data) => {
    const options = { ...serverUser, cwd: '/', env: { PATH, ...env } }
    await promisify(execFile)(join(programs, 'initdb'), ['-D', data, ...flags, ...look], options)
  })
}

/** Nothing is flushed to disk; what was committed still survives a killed server. */
function serverFlags(
  folder: string,
  port: number,
  more: Readonly<Record<string, string>>,
): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ssl: 'on',
    ssl_key_file: join(folder, 'server.key'),
    ssl_cert_file: join(folder, 'server.crt'),
    fsync: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    shared_buffers: '32MB',
    max_connections: 100,
    log_min_messages: 'panic',
    ...more,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', join(folder, 'data'), ...flags]
}

/** A folder with the links under which the libraries are looked up. */
function linkLibraries(folder: string, { libraries }: PostgresPrograms): string {
  const links = join(folder, 'libraries')
  mkdirSync(links)
  own(links)
  for (const [name, file] of Object.entries(libraries)) symlinkSync(file, join(links, name))
  return links
}

function own(path: string): void {
  if (serverUser !== undefined) chownSync(path, serverUser.uid, serverUser.gid)
}

let databases = 0

async function createDatabase(
  url: (database: string) => string,
  options: string = '',
): Promise<string> {
  const name = `test_${process.pid}_${(databases += 1)}`
  await withClient(url('postgres'), (client) => client.query(`CREATE DATABASE ${name} ${options}`))
  return url(name)
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query('SELECT 1'))
    return true
  } catch {
    return false
  }
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Backends lead their own process groups, so a signal to the server's group misses them. */
function childrenOf(server: number): number[] {
  return runningProcesses()
    .filter(({ parent }) => parent === server)
    .map(({ pid }) => pid)
}

function isRunning(pid: number): boolean {
  return runningProcesses().some((one) => one.pid === pid)
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
