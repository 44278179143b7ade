import { Environments } from '../../src/settings/environments.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import type { SessionsOptions } from '../../src/http/session/sessions.ts'
import type { Request } from '../../src/http/request/request.ts'
import type { Response } from '../../src/http/response/response.ts'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { Server } from '../../src/http/server/server.ts'
import type { SessionStore } from '../../src/http/session/session-store.ts'
import type { Session } from '../../src/http/session/session.ts'

/** What the handler does in a test. */
export type Work<T> = (session: Session, request: Request, response: Response) => T | Promise<T>

/** The result of one request. */
export interface Visit<T> {
  readonly answer: InjectedResponse
  /** The return value of the work; undefined if it did not complete. */
  readonly outcome: T | undefined
}

/** A server with sessions whose only route does what the test says. */
export class SessionSite {
  readonly server: Server
  readonly sessions: Sessions
  /** Errors reported by the server and by the sessions. */
  readonly reported: unknown[] = []
  readonly #works = new Map<string, (request: Request, response: Response) => Promise<string>>()
  #requests = 0

  constructor(store: SessionStore, options: SessionsOptions = {}) {
    const throwables = createThrowables()
    throwables.reporters.push((error) => this.reported.push(error))
    this.sessions = new Sessions(store, { throwables, ...options })
    this.server = new Server({ environment: Environments.Test, throwables, reporter: null })
    this.server.use(this.sessions)
    this.server.router.get('/:work', (request, response) => {
      const work = this.#works.get(request.params.work)
      return work?.(request, response)
    })
    this.server.router.get('/static', () => 'no session here')
  }

  /** A new browser. */
  visitor(agent: string = 'test'): Visitor {
    return new Visitor(this, agent)
  }

  /** Handles one request with this cookie header and runs `work` in it. */
  async request<T>(headers: Record<string, string>, work: Work<T>): Promise<Visit<T>> {
    const name = String((this.#requests += 1))
    const outcomes: T[] = []
    this.#works.set(name, async (request, response) => {
      outcomes.push(await work(request.session, request, response))
      return 'done'
    })
    const answer = await this.server.inject({ url: `/${name}`, headers })
    return { answer, outcome: outcomes[0] }
  }
}

/** A minimal browser that keeps cookies. */
export class Visitor {
  /** Name and value as they are sent; empty without a cookie. */
  cookie = ''
  readonly #site: SessionSite
  readonly #agent: string

  constructor(site: SessionSite, agent: string) {
    this.#site = site
    this.#agent = agent
  }

  /** The session id in the cookie. */
  get id(): string {
    return this.cookie.slice(this.cookie.indexOf('=') + 1)
  }

  /** Makes a request that runs `work`, and keeps the cookie of the response. */
  async does<T>(work: Work<T>): Promise<Visit<T>> {
    const headers = {
      'user-agent': this.#agent,
      ...(this.cookie !== '' && { cookie: this.cookie }),
    }
    const visit = await this.#site.request(headers, work)
    const [line] = visit.answer.cookies
    if (line !== undefined) this.cookie = line.split(';')[0] ?? ''
    return visit
  }

  /** Reads a session value. */
  async sees(key: string): Promise<unknown> {
    return (await this.does((session) => session.get(key))).outcome
  }

  async sets(key: string, value: unknown): Promise<InjectedResponse> {
    return (await this.does((session) => session.set(key, value))).answer
  }
}
