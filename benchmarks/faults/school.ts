import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../framework/tests/support/free-port.ts'
import type { DatabaseServer } from '../../framework/tests/support/database-server.ts'

/** How a school is started. */
export interface Start {
  readonly fault: string
  readonly environment: 'development' | 'production'
  readonly env?: Readonly<Record<string, string>>
}

/** A school that serves, or has failed to. */
export interface Served {
  readonly url: string
  /** What its terminal shows, without colours. */
  readonly terminal: () => string
  readonly run: (...args: string[]) => Promise<string>
  readonly stop: () => Promise<void>
}

/** The invented product: a new project of one build of the framework, with `project/` on top. */
export class School {
  readonly folder: string
  readonly #repository: string
  readonly #postgres: DatabaseServer
  readonly #key = randomBytes(32).toString('hex')
  #databases = 0

  constructor(repository: string, folder: string, postgres: DatabaseServer) {
    this.#repository = repository
    this.folder = folder
    this.#postgres = postgres
    this.#framework('/', {}, 'new', folder, '--name', 'music-school', '--database', 'postgres')
    cpSync(join(import.meta.dirname, 'project'), folder, { recursive: true })
    const project = join(folder, 'project.ts')
    const queues =
      "import { queueWorker } from 'framework/queue'\n" +
      readFileSync(project, 'utf8').replace(
        '  urls: route,',
        '  urls: route,\n  queues: ({ queue, reminders }) => [queueWorker(queue, (job) => reminders.run(job.payload))],',
      )
    writeFileSync(project, queues)
    // What npm would install.
    const modules = join(folder, 'node_modules')
    mkdirSync(join(modules, '@valibot'), { recursive: true })
    symlinkSync(join(repository, 'framework'), join(modules, 'framework'))
    for (const name of ['valibot', 'pg', '@valibot/to-json-schema']) {
      symlinkSync(join(repository, 'node_modules', name), join(modules, name))
    }
  }

  /** `file:line` of a planted fault, from the marker in the sources. */
  lineOf(fault: string): string {
    for (const file of readdirSync(this.folder, { recursive: true, encoding: 'utf8' })) {
      if (!/^[^.]*\.(?:ts|template\.html)$/.test(file) || /node_modules|vendor/.test(file)) continue
      const lines = readFileSync(join(this.folder, file), 'utf8').split('\n')
      const at = lines.findIndex((line) => new RegExp(`planted: ${fault}\\b`).test(line))
      if (at !== -1) return `${file}:${at + 1}`
    }
    throw new Error(`no line is marked with ${fault}`)
  }

  /** A server with a database of its own, in which the member of the starter is. */
  async start({ fault, environment, env = {} }: Start): Promise<Served> {
    rmSync(join(this.folder, 'storage'), { recursive: true, force: true })
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const settings = {
      FAULT: fault,
      FRAMEWORK_ENVIRONMENT: environment,
      APP_KEY: this.#key,
      APP_URL: url,
      PORT: String(port),
      DATABASE_URL: await this.#database(),
      NO_COLOR: '1',
      ...env,
    }
    const [command = '', ...args] = this.#command('serve')
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    const add = (chunk: Buffer): void => void (text += String(chunk))
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    await listening(child, url)
    return {
      url,
      terminal: () => text,
      run: async (...parameters) => this.#framework(this.folder, settings, ...parameters),
      stop: () => stopped(child),
    }
  }

  async #database(): Promise<string> {
    const template = `school_${process.pid}_${this.folder.replaceAll(/\W/g, '_')}`.toLowerCase()
    const isFirst = this.#databases === 0
    const name = isFirst ? template : `${template}_${this.#databases}`
    this.#databases += 1
    const client = new Client({ connectionString: this.#postgres.url('postgres') })
    await client.connect()
    await client.query(`CREATE DATABASE ${name} ${isFirst ? '' : `TEMPLATE ${template}`}`)
    await client.end()
    if (!isFirst) return this.#postgres.url(name)
    const env = { DATABASE_URL: this.#postgres.url(name), FRAMEWORK_ENVIRONMENT: 'development' }
    this.#framework(this.folder, env, 'migrate')
    this.#framework(this.folder, env, 'seed')
    return this.#database()
  }

  #framework(cwd: string, env: Readonly<Record<string, string>>, ...args: string[]): string {
    const [command = '', ...parameters] = this.#command(...args)
    const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8' } as const
    return execFileSync(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  #command(...args: string[]): readonly string[] {
    return [process.execPath, join(this.#repository, 'framework/bin/framework.js'), ...args]
  }
}

/** Waits for the port, or for the end of the process. */
async function listening(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) return
    const answer = await fetch(`${url}/health`).catch(() => null)
    if (answer?.ok === true) return
    await new Promise((done) => setTimeout(done, 50))
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 8000)
  await once(child, 'exit')
  clearTimeout(late)
}
