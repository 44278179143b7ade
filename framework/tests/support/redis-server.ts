import { chownSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { GuardedProcess } from './guarded-process.ts'
import { serverUser } from './postgres-programs.ts'
import { findRedisProgram } from './redis-programs.ts'
import { programMissing } from './test-programs.ts'
import { waitFor } from './wait-for.ts'

const password = 'let me in'

/** A Redis server for tests, in its own process or given by the environment. */
export interface RedisServer {
  readonly port: number
  /** URL of a database on it, with its password. */
  readonly url: string
  /** Empties that database. */
  flush(): Promise<void>
  /** Kills the server, like a power cut. Rejects for a server that is not ours. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. Rejects for a server that is not ours. */
  restart(): Promise<void>
  /** Stops it and removes its data. It also ends with this process, however that ends. */
  stop(): Promise<void>
}

/**
 * The Redis at `TEST_REDIS_URL`, or one of our own. `REDIS_URL` is ignored: tests must not
 * empty the Redis of a project.
 * @throws Error that says why there is none.
 */
export function startRedis(): Promise<RedisServer> {
  const given = process.env['TEST_REDIS_URL'] ?? ''
  return given === '' ? startOwnRedis() : Promise.resolve(foreignServer(new URL(given)))
}

/**
 * Starts a Redis on a free port.
 * @throws Error that says why there is none.
 */
export async function startOwnRedis(): Promise<RedisServer> {
  const program = findRedisProgram()
  if (program === null) throw new Error(programMissing('Redis'))
  const folder = mkdtempSync(join(tmpdir(), 'framework-redis-'))
  if (serverUser !== undefined) chownSync(folder, serverUser.uid, serverUser.gid)
  symlinkSync(program, join(folder, 'redis-server'))
  try {
    const server = new OwnRedis(folder, await freePort())
    await server.restart()
    return server
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

class OwnRedis implements RedisServer {
  readonly port: number
  readonly url: string
  readonly #folder: string
  #process: GuardedProcess | null = null

  constructor(folder: string, port: number) {
    this.port = port
    this.url = `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/0`
    this.#folder = folder
  }

  flush(): Promise<void> {
    return withClient(this.url, (client) => client.flushdb())
  }

  async kill(): Promise<void> {
    process.kill(Number(readFileSync(join(this.#folder, 'pid'), 'utf8')), 'SIGKILL')
    await this.#process?.end('keep')
    this.#process = null
  }

  async restart(): Promise<void> {
    await this.#process?.end('keep')
    const folder = this.#folder
    this.#process = new GuardedProcess(join(folder, 'redis-server'), flags(folder, this.port), {
      user: serverUser,
      signal: 'KILL',
      folder,
    })
    await waitFor('Redis', () => answers(this.url)).catch(() => {
      throw new Error(`Redis did not start: ${logOf(folder)}`)
    })
  }

  async stop(): Promise<void> {
    await this.#process?.end()
    this.#process = null
  }
}

/** A server run by others: it is used, never stopped. */
function foreignServer(base: URL): RedisServer {
  const refuse = (): Promise<never> => Promise.reject(new Error('this server is not ours'))
  return {
    port: Number(base.port === '' ? 6379 : base.port),
    url: base.href,
    flush: () => withClient(base.href, (client) => client.flushdb()),
    kill: refuse,
    restart: refuse,
    stop: () => Promise.resolve(),
  }
}

/** Nothing is flushed to disk; what was acknowledged still survives a killed server. */
function flags(folder: string, port: number): string[] {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    requirepass: password,
    dir: folder,
    pidfile: join(folder, 'pid'),
    logfile: join(folder, 'log'),
    save: '',
    appendonly: 'yes',
    appendfsync: 'no',
    'auto-aof-rewrite-percentage': '0',
  }
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
}

function logOf(folder: string): string {
  try {
    return readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)
  } catch {
    return 'it wrote no log'
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.ping())
    return true
  } catch {
    return false
  }
}

async function withClient(url: string, work: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await work(client)
  } finally {
    client.disconnect()
  }
}
