import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Environments } from '../../src/settings/environments.ts'
import { Views } from '../../src/base/templates/views.ts'
import { Csrf } from '../../src/http/middlewares/csrf.ts'
import type { CsrfOptions } from '../../src/http/middlewares/csrf.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import type { Handler } from '../../src/http/router/route.ts'
import type { InjectedResponse, InjectedRequest } from '../../src/http/server/inject.ts'
import type { ServerOptions } from '../../src/http/server/options.ts'
import { Server } from '../../src/http/server/server.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import type { SessionStore } from '../../src/http/session/session-store.ts'

const templates = {
  form: '<form method="post"><%~ it.csrf %><p><%= it.text %></p></form>',
  plain: '<p>no form here: <%= it.text %></p>',
  script: '<meta name="csrf-token" content="<%= it.csrfToken %>">',
  'errors/404': '<p>Not here.</p><form action="/logout" method="post"><%~ it.csrf %></form>',
}

/** Options of the site. */
export interface SiteOptions {
  readonly environment?: Environments
  readonly store?: SessionStore
  readonly csrf?: CsrfOptions
  readonly server?: ServerOptions
}

/** A site with forms that records what reached its handlers. */
export class CsrfSite {
  readonly server: Server
  /** The bodies that handlers of unsafe methods received. */
  readonly changes: unknown[] = []

  constructor(t: TestContext, options: SiteOptions = {}) {
    const { environment = Environments.Production, store = new MemorySessions() } = options
    this.server = new Server({ environment, reporter: null })
    this.server.configure({ views: views(t), ...options.server })
    this.server.use(new Sessions(store), new Csrf(options.csrf))
    this.#declare()
  }

  /** A new browser. */
  visitor(): CsrfVisitor {
    return new CsrfVisitor(this.server)
  }

  #declare(): void {
    const { router } = this.server
    for (const page of ['form', 'plain', 'script']) {
      router.get(`/${page}`, ({ query }, response) =>
        response.view(page, { text: query['text'] ?? '' }),
      )
    }
    router.get('/flashes', async ({ session }) => ({
      message: await session.flash('message'),
      expired: await session.flash('expired'),
      old: await session.flash('old'),
    }))
    router.get('/sign-in', ({ session }) => session.regenerate())
    router.get('/sign-out', ({ session }) => session.flush())
    const save: Handler = async (request, response) => {
      const isJson = request.type === 'application/json'
      this.changes.push(isJson ? await request.json() : { ...(await request.form()).fields })
      return response.text('saved')
    }
    router.any('/save', save, { uploads: {} })
  }
}

/** A minimal browser that keeps cookies. */
export class CsrfVisitor {
  cookie = ''
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
  }

  async ask(url: string, request: Partial<InjectedRequest> = {}): Promise<InjectedResponse> {
    const headers = {
      ...(this.cookie !== '' && { cookie: this.cookie }),
      ...request.headers,
    }
    const answer = await this.#server.inject({ ...request, url, headers })
    const [line] = answer.cookies
    if (line !== undefined) this.cookie = line.split(';')[0] ?? ''
    return answer
  }

  /** The CSRF token on a page with a form. */
  async token(url: string = '/form'): Promise<string> {
    return tokenIn((await this.ask(url)).text)
  }

  /** Sends a form with these fields. */
  post(
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<InjectedResponse> {
    return this.ask('/save', { method: 'POST', headers, body: new URLSearchParams(fields) })
  }
}

/** The CSRF token in the first hidden field. */
export function tokenIn(page: string): string {
  return (
    /<input type="hidden" name="_token" value="(?<token>[^"]*)">/.exec(page)?.groups?.['token'] ??
    'none'
  )
}

function views(t: TestContext): Views {
  const folder = mkdtempSync(join(tmpdir(), 'csrf-views-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'errors'))
  for (const [name, text] of Object.entries(templates)) {
    writeFileSync(join(folder, `${name}.template.html`), text)
  }
  return new Views(folder)
}
