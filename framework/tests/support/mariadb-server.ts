import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createConnection } from 'mariadb'
import { selfSigned } from '../../src/base/tls/self-signed.ts'
import type { DatabaseServer } from './database-server.ts'
import { freePort } from './free-port.ts'
import { GuardedProcess } from './guarded-process.ts'
import { copyOnce } from './made-once.ts'
import { findMariadbPrograms } from './mariadb-programs.ts'
import type { MariadbPrograms } from './mariadb-programs.ts'
import { serverUser } from './postgres-programs.ts'
import { programMissing } from './test-programs.ts'
import { waitFor } from './wait-for.ts'

const user = 'framework'
const password = 'let me in'

/**
 * The MariaDB at `TEST_MARIADB_URL`, or one of our own.
 * @throws Error that says why there is none.
 */
export function startMariadb(): Promise<DatabaseServer> {
  const given = process.env['TEST_MARIADB_URL'] ?? ''
  return given === '' ? startOwnMariadb() : Promise.resolve(foreignServer(new URL(given)))
}

/**
 * Starts a MariaDB on a free port, with a self-signed certificate and these flags
 * after the usual ones of tests.
 * @throws Error that says why there is none.
 */
export async function startOwnMariadb(more: readonly string[] = []): Promise<DatabaseServer> {
  const programs = findMariadbPrograms()
  if (programs === null) throw new Error(programMissing('MariaDB'))
  const folder = mkdtempSync(join(tmpdir(), 'framework-mariadb-'))
  own(folder)
  try {
    await initialize(programs, folder)
    const server = new OwnMariadb(programs.server, folder, await freePort(), more)
    await server.restart()
    return server
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

class OwnMariadb implements DatabaseServer {
  readonly port: number
  readonly #program: string
  readonly #folder: string
  readonly #more: readonly string[]
  #process: GuardedProcess | null = null

  constructor(program: string, folder: string, port: number, more: readonly string[]) {
    this.port = port
    this.#program = program
    this.#folder = folder
    this.#more = more
  }

  url(database: string): string {
    return `mariadb://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}`
  }

  createDatabase(): Promise<string> {
    return createDatabase((name) => this.url(name))
  }

  async kill(): Promise<void> {
    process.kill(Number(readFileSync(join(this.#folder, 'pid'), 'utf8')), 'SIGKILL')
    await this.#process?.end('keep')
    this.#process = null
  }

  async restart(): Promise<void> {
    await this.#process?.end('keep')
    const flags = [
      ...storageFlags(this.#folder),
      ...serverFlags(this.#folder, this.port),
      ...this.#more,
    ]
    const started = new GuardedProcess(this.#program, flags, {
      user: serverUser,
      folder: this.#folder,
    })
    this.#process = started
    await waitFor('MariaDB', () => answers(this.url('mysql'))).catch(() => {
      throw new Error(`MariaDB did not start: ${started.errors}`)
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
    port: Number(base.port === '' ? 3306 : base.port),
    url,
    createDatabase: () => createDatabase(url),
    kill: refuse,
    restart: refuse,
    stop: () => Promise.resolve(),
  }
}

/** Does what `mariadb-install-db` does, without the help texts, which take longer than the rest. */
async function initialize(
  { server, systemTables }: MariadbPrograms,
  folder: string,
): Promise<void> {
  const { key, cert } = selfSigned({ hosts: ['localhost', '127.0.0.1'] })
  const account = `${user}@'127.0.0.1'`
  const files = {
    'server.key': key,
    'server.crt': cert,
    'accounts.sql':
      `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password}';\n` +
      `GRANT ALL ON *.* TO ${account} WITH GRANT OPTION;\n`,
  }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content, { mode: 0o600 })
    own(join(folder, name))
  }
  await copyOnce('mariadb', join(folder, 'data'), async (data) => {
    mkdirSync(data)
    own(data)
    const running = promisify(execFile)(server, [...storageFlags(folder), '--bootstrap'], {
      ...serverUser,
      cwd: '/',
    })
    const tables = systemTables.map((file) => readFileSync(file, 'utf8')).join('\n')
    running.child.stdin?.end(
      `CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n${tables}`,
    )
    await running
  })
}

/** Nothing is flushed to disk; what was committed still survives a killed server. */
function storageFlags(folder: string): string[] {
  return [
    '--no-defaults',
    `--datadir=${join(folder, 'data')}`,
    `--tmpdir=${folder}`,
    '--debug-no-sync',
    '--innodb-flush-log-at-trx-commit=2',
    '--innodb-doublewrite=OFF',
    '--innodb-buffer-pool-size=32M',
    '--innodb-log-file-size=16M',
  ]
}

function serverFlags(folder: string, port: number): string[] {
  return [
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--init-file=${join(folder, 'accounts.sql')}`,
    `--ssl-key=${join(folder, 'server.key')}`,
    `--ssl-cert=${join(folder, 'server.crt')}`,
    '--skip-log-bin',
    '--performance-schema=OFF',
    '--character-set-server=utf8mb4',
  ]
}

function own(path: string): void {
  if (serverUser !== undefined) chownSync(path, serverUser.uid, serverUser.gid)
}

let databases = 0

async function createDatabase(url: (database: string) => string): Promise<string> {
  const name = `test_${process.pid}_${(databases += 1)}`
  await command(url(''), `CREATE DATABASE ${name}`)
  return url(name)
}

async function answers(url: string): Promise<boolean> {
  try {
    await command(url, 'SELECT 1')
    return true
  } catch {
    return false
  }
}

async function command(text: string, sql: string): Promise<void> {
  const url = new URL(text)
  const connection = await createConnection({
    host: url.hostname,
    port: Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  })
  try {
    await connection.query(sql)
  } finally {
    await connection.end()
  }
}
