import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'

/** Where a server keeps its sessions; those of SQLite and PostgreSQL are in its database. */
export type SessionStores = 'sqlite' | 'postgres' | 'redis'

/** What the harness asks of a server process. */
export interface Contestant {
  readonly port: number
  /** `sqlite:/path`, `postgres://…` or `mariadb://…`; its tables are there. */
  readonly database: string
  readonly sessions: SessionStores
  readonly redis: string
  /** Key and certificate in PEM; null to serve without TLS. */
  readonly tls: { readonly key: string; readonly cert: string } | null
  /** Has `static/` with the files to serve, and `uploads/`. */
  readonly folder: string
}

/** Reads `<port>` from the command line and the rest from the environment. */
export function contestant(): Contestant {
  const port = Number(process.argv[2])
  if (!Number.isInteger(port)) throw new Error(`expected <port>, got ${process.argv[2]}`)
  const { PRODUCT_SESSIONS: sessions = 'sqlite', PRODUCT_TLS: tls } = process.env
  if (sessions !== 'sqlite' && sessions !== 'postgres' && sessions !== 'redis') {
    throw new Error(`PRODUCT_SESSIONS is sqlite, postgres or redis; got ${sessions}`)
  }
  return {
    port,
    database: variable('PRODUCT_DATABASE'),
    sessions,
    redis: variable('PRODUCT_REDIS'),
    tls: tls === undefined || tls === '' ? null : { key: pem(tls, 'key'), cert: pem(tls, 'cert') },
    folder: variable('PRODUCT_FOLDER'),
  }
}

/** Tells the harness that the port is open, and answers `usage`, `profile` and `profiled` from then on. */
export function ready(): void {
  const session = new Session()
  process.on('message', (message) => {
    if (message === 'profile') void startProfile(session)
    if (message === 'profiled') void endProfile(session)
    if (message !== 'usage') return
    const { user, system } = process.cpuUsage()
    const thread = process.threadCpuUsage()
    const rss = process.memoryUsage.rss()
    process.send?.({
      cpuMicros: user + system,
      threadMicros: thread.user + thread.system,
      rss,
    })
  })
  // A server never outlives the harness that started it.
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

async function startProfile(session: Session): Promise<void> {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  process.send?.('profiling')
}

async function endProfile(session: Session): Promise<void> {
  process.send?.(await session.post('Profiler.stop'))
}

function variable(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

function pem(folder: string, name: string): string {
  return readFileSync(join(folder, `${name}.pem`), 'utf8')
}
