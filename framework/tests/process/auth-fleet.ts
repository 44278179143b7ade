import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { launch, startServer } from '../support/start-server.ts'
import { email, password } from './auth-workers-database.ts'
import type { AuthDatabase } from './auth-workers-database.ts'
import type { AuthWorkersOptions } from './auth-workers-site.ts'

const script = join(import.meta.dirname, 'auth-workers-server.ts')

/** Two workers on one database, and their visitors. */
export async function startFleet(
  t: TestContext,
  { url }: AuthDatabase,
  options: Partial<AuthWorkersOptions> = {},
): Promise<() => FleetVisitor> {
  const { port } = await startServer(t, script, { database: url, workers: 2, ...options })
  return () => new FleetVisitor(`http://127.0.0.1:${port}`)
}

/** The error output of two workers that do not start; empty when they do. */
export async function refusedFleet(
  t: TestContext,
  { url }: AuthDatabase,
  options: Partial<AuthWorkersOptions>,
): Promise<string> {
  const { ended, errors } = launch(t, script, { database: url, workers: 2, ...options })
  return (await ended) === 0 ? '' : errors()
}

/** A minimal browser that keeps cookies. Each request has its own connection, so that all workers get some. */
export class FleetVisitor {
  readonly cookies: Map<string, string> = new Map()
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  async ask(path: string, fields?: Readonly<Record<string, string>>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(this.#origin + path, {
      redirect: 'manual',
      headers: { connection: 'close', cookie },
      ...(fields !== undefined && { method: 'POST', body: new URLSearchParams(fields) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.includes('; Max-Age=0;')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  logsIn(typed: string = password): Promise<Response> {
    return this.ask('/login', { email, password: typed })
  }

  /** Another browser with the cookie of the same device, and no session. */
  device(): FleetVisitor {
    const copy = new FleetVisitor(this.#origin)
    copy.cookies.set('remember', this.cookies.get('remember') ?? '')
    return copy
  }

  /** The statuses of the guarded page, requested until every worker has responded. */
  async statuses(): Promise<readonly number[]> {
    const workers = new Set<string | null>()
    const statuses = new Set<number>()
    while (workers.size < 2) {
      const answer = await this.ask('/account')
      await answer.text()
      workers.add(answer.headers.get('x-pid'))
      statuses.add(answer.status)
    }
    return [...statuses]
  }
}
