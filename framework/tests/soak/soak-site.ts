import { randomBytes } from 'node:crypto'
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { starters } from '../../src/console/new/choices.ts'
import { Workshop } from '../process/new-project-workshop.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import type { DatabaseServer } from '../support/database-server.ts'
import { freePort } from '../support/free-port.ts'
import { startMariadb } from '../support/mariadb-server.ts'
import { startOwnPostgres } from '../support/postgres-server.ts'
import { startOwnRedis } from '../support/redis-server.ts'
import type { RedisServer } from '../support/redis-server.ts'
import { commandLine, runningProcesses } from '../support/running-processes.ts'
import { smtpServer } from '../support/smtp-server.ts'
import type { TestSmtpServer } from '../support/smtp-server.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Cleanup } from '../support/cleanup.ts'

/** What a site is run on. */
export interface SiteChoices {
  readonly database: 'postgres' | 'mariadb'
  /** The faults that its code has. @default none */
  readonly bugs?: readonly string[]
}

/** A program that is started again whenever it ends, as systemd does. */
class KeptCommand {
  running: RunningCommand
  readonly #start: () => RunningCommand
  #isStopping = false

  constructor(cleanup: Cleanup, start: () => RunningCommand) {
    this.#start = start
    // Registered first, so that what is killed at the end stays dead.
    cleanup.after(() => {
      this.#isStopping = true
    })
    this.running = this.#started()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.running.stop()
  }

  #started(): RunningCommand {
    const command = this.#start()
    command.child.once('close', () => {
      if (this.#isStopping) return
      setTimeout(() => {
        if (!this.#isStopping) this.running = this.#started()
      }, 300)
    })
    return command
  }
}

/** How the mail server behaves. */
export type Moods = 'well' | 'refuses' | 'slow'

/** A site with two workers, two processes for its jobs, and all that they need, as real programs. */
export class SoakSite {
  readonly url: string
  readonly database: DatabaseServer
  readonly databaseUrl: string
  readonly redis: RedisServer
  readonly mail: { readonly server: TestSmtpServer; mood: Moods }
  readonly #cleanup: Cleanup
  readonly #root: string
  readonly #run: { readonly cwd: string; program: readonly string[]; env: Record<string, string> }
  #server: KeptCommand | null = null
  #queues: readonly KeptCommand[] = []
  #migrations = 0

  static async open(
    cleanup: Cleanup,
    { database: kind, bugs = [] }: SiteChoices,
  ): Promise<SoakSite> {
    const workshop = new Workshop()
    cleanup.after(() => workshop.remove())
    workshop.link()
    const starter = starters['auth']
    if (starter === undefined) throw new Error('there is no starter auth')
    const root = workshop.assemble({ name: 'soak', starter })
    rmSync(join(root, 'tests'), { recursive: true })
    cpSync(join(import.meta.dirname, '..', 'projects', 'soak'), root, { recursive: true })
    const database = await (kind === 'postgres' ? startOwnPostgres() : startMariadb())
    cleanup.after(() => database.stop())
    const redis = await startOwnRedis()
    cleanup.after(() => redis.stop())
    const mail: { mood: Moods } = { mood: 'well' }
    const server = await smtpServer(cleanup, {
      secure: 'none',
      refuse: (step) => (step === 'mail' && mail.mood === 'refuses' ? 451 : null),
      hold: () => new Promise((resolve) => setTimeout(resolve, mail.mood === 'slow' ? 1_000 : 0)),
    })
    const databaseUrl = await database.createDatabase()
    const port = await freePort()
    const env = {
      FRAMEWORK_ENVIRONMENT: 'production',
      APP_KEY: randomBytes(32).toString('hex'),
      APP_URL: `http://127.0.0.1:${port}`,
      HOST: '127.0.0.1',
      PORT: String(port),
      WORKERS: '2',
      DATABASE_URL: `${databaseUrl}?pool=5`,
      REDIS_URL: redis.url,
      MAIL_HOST: '127.0.0.1',
      MAIL_PORT: String(server.port),
      MAIL_SECURE: 'none',
      SCHEDULE: '1',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'error',
      QUEUE_VISIBILITY: '5',
      QUEUE_ATTEMPTS: '50',
      QUEUE_BACKOFF: '1',
      SOAK_BUGS: bugs.join(','),
    }
    const run = { cwd: root, program: workshop.program, env }
    return new SoakSite(cleanup, run, {
      url: env.APP_URL,
      database,
      databaseUrl,
      redis,
      mail: Object.assign(mail, { server }),
    })
  }

  private constructor(
    cleanup: Cleanup,
    run: { readonly cwd: string; program: readonly string[]; env: Record<string, string> },
    parts: Pick<SoakSite, 'url' | 'database' | 'databaseUrl' | 'redis' | 'mail'>,
  ) {
    this.#cleanup = cleanup
    this.#run = run
    this.#root = run.cwd
    this.url = parts.url
    this.database = parts.database
    this.databaseUrl = parts.databaseUrl
    this.redis = parts.redis
    this.mail = parts.mail
  }

  async start(): Promise<void> {
    await this.migrate()
    const keep = (args: readonly string[]): KeptCommand =>
      new KeptCommand(this.#cleanup, () => new RunningCommand(this.#cleanup, args, this.#run))
    this.#server = keep(['serve'])
    this.#queues = [0, 1].map(() => keep(['queue', 'run', 'receipts']))
    await this.healthy()
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
    await Promise.all(this.#queues.map((one) => one.stop()))
  }

  /** Resolves when all that the site needs answers. */
  async healthy(): Promise<void> {
    await waitFor(
      () => `the site: ${this.#server?.running.stderr.slice(-2_000)}`,
      async () => {
        const response = await fetch(`${this.url}/ready`).catch(() => null)
        return response?.status === 200
      },
    )
  }

  async migrate(): Promise<void> {
    const { status, stderr } = await runCommand(this.#cleanup, ['migrate'], this.#run)
    if (status !== 0) throw new Error(`migrate: ${stderr}`)
  }

  /** The migration of a new release: a column that old code does not know. */
  addMigration(): void {
    this.#migrations += 1
    const column = `note_${this.#migrations}`
    const name = `20260301${String(this.#migrations).padStart(6, '0')}_add_${column}.ts`
    writeFileSync(
      join(this.#root, 'migrations', name),
      `import type { Schema } from 'framework/database'
export const up = (schema: Schema) => schema.addColumn('deposits', (table) => table.text('${column}', { length: 10 }).nullable())
export const down = (schema: Schema) => schema.dropColumn('deposits', '${column}')
`,
    )
  }

  /** Pid of the process that leads the workers. */
  get leader(): number {
    return this.#server?.running.child.pid ?? 0
  }

  get workers(): readonly number[] {
    return childrenOf(this.leader)
  }

  get queueWorkers(): readonly number[] {
    return this.#queues.map(({ running }) => running.child.pid ?? 0)
  }

  /** Everything the servers have written to their log, of the present processes. */
  get log(): string {
    return this.#server?.running.stderr ?? ''
  }

  /** The processes of a store. */
  static programsOn(port: number): readonly number[] {
    const own = runningProcesses().filter(({ pid }) => {
      const line = commandLine(pid)
      return /^\S*(?:postgres|mariadbd|redis-server)\b/.test(line) && line.includes(String(port))
    })
    const pids = own.map(({ pid }) => pid)
    return [...pids, ...pids.flatMap(childrenOf)]
  }
}

function childrenOf(parent: number): readonly number[] {
  return runningProcesses()
    .filter((one) => one.parent === parent)
    .map(({ pid }) => pid)
}

/** How many files, sockets and the like a process has open; null when it is over. */
export function descriptorsOf(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return null
  }
}

/** Megabytes of memory of a process; null when it is over. */
export function memoryOf(pid: number): number | null {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return (Number(pages) * 4_096) / 2 ** 20
  } catch {
    return null
  }
}
