import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { Environments } from '../../src/settings/environments.ts'
import { Csrf } from '../../src/http/middlewares/csrf.ts'
import { csrfToken } from '../../src/http/middlewares/csrf-token.ts'
import { Forms } from '../../src/http/middlewares/forms.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import type { SessionsOptions } from '../../src/http/session/sessions.ts'
import type { Request } from '../../src/http/request/request.ts'
import type { Response } from '../../src/http/response/response.ts'
import type { Middleware } from '../../src/http/router/middleware.ts'
import type { InjectedResponse, InjectedRequest } from '../../src/http/server/inject.ts'
import { Server } from '../../src/http/server/server.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import type { SessionStore } from '../../src/http/session/session-store.ts'
import { Submissions } from '../../src/http/submissions/submissions.ts'
import type { SubmissionsOptions } from '../../src/http/submissions/submissions.ts'

type Fields = Readonly<Record<string, string>>
type Handle = (request: Request, response: Response) => unknown

/** A site with one form, and a record of its handler. */
export class FormSite {
  readonly server: Server
  readonly sessions: Sessions
  readonly clock: { now: number } = { now: 1_000_000 }
  readonly reported: unknown[] = []
  /** The fields of each handled form. */
  readonly handled: Fields[] = []
  /** The handler's response. */
  handle: Handle = (_request, response) => response.redirect('/done')

  constructor(
    store: SessionStore = new MemorySessions(),
    {
      outer = [],
      sessions = {},
      ...options
    }: SubmissionsOptions & {
      readonly outer?: readonly Middleware[]
      readonly sessions?: SessionsOptions
    } = {},
  ) {
    const throwables = createThrowables()
    throwables.reporters.push((error) => this.reported.push(error))
    this.sessions = new Sessions(store, { throwables, clock: () => this.clock.now, ...sessions })
    this.server = new Server({ environment: Environments.Production, throwables, reporter: null })
    const submissions = new Submissions(this.sessions, options)
    this.server.use(...outer, submissions, this.sessions, new Csrf(), new Forms())
    this.server.router.get('/token', (request) => csrfToken(request))
    this.server.router.get('/flash', ({ session }) => session.flash('message'))
    this.server.router.get('/who', ({ session }) => session.get('identity'))
    this.server.router.post('/form', (request, response) => {
      this.handled.push(request.fields)
      return this.handle(request, response)
    })
  }

  visitor(): FormVisitor {
    return new FormVisitor(this.server)
  }
}

/** A minimal browser that keeps cookies. */
export class FormVisitor {
  readonly cookies: Map<string, string> = new Map()
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
  }

  /** Sends a request without keeping its cookies yet. */
  send(url: string, request: Partial<InjectedRequest> = {}): Promise<InjectedResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie !== '' && { cookie }), ...request.headers }
    return this.#server.inject({ ...request, url, headers })
  }

  /** Keeps the cookies of a response. */
  keep({ cookies }: InjectedResponse): void {
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.cookies.set(name, value)
    }
  }

  async ask(url: string): Promise<string> {
    const answer = await this.send(url)
    this.keep(answer)
    return answer.text
  }

  /** The CSRF token of a page, under a new mask. */
  token(): Promise<string> {
    return this.ask('/token')
  }

  /** Sends the form without keeping its cookies yet. */
  post(fields: Fields, headers: Fields = {}): Promise<InjectedResponse> {
    return this.send('/form', { method: 'POST', headers, body: new URLSearchParams(fields) })
  }
}
