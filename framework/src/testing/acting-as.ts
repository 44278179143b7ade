import { randomUUID } from 'node:crypto'
import { ConfigurationError } from '../base/errors.ts'
import { SignInGate } from '../accounts/sign-in/sign-in-gate.ts'
import type { RequestIdentity, Request } from '../http/request/request.ts'
import type { Response } from '../http/response/response.ts'
import type { Server } from '../http/server/server.ts'
import { Sessions } from '../http/session/sessions.ts'
import type { Visitor } from './visitor.ts'

/** Signs visitors of a project under test in, without a password and without a factor. */
export class ActingAs {
  /** Random, so that nothing but this object can ask for it. */
  readonly #path = `/acting-as-${randomUUID()}`
  /** Who is signed in by the next request with a ticket. */
  readonly #waiting = new Map<string, RequestIdentity>()
  // It knows no factors, so it asks for none.
  readonly #gate = new SignInGate()

  /** Adds the route that signs in. The caller makes sure that this is a test. */
  constructor({ router }: Server) {
    router.get(this.#path, (request, response) => this.#enter(request, response))
  }

  /** @throws ConfigurationError if the project has no sessions. */
  async signIn(visitor: Visitor, identity: RequestIdentity): Promise<void> {
    const ticket = randomUUID()
    // A copy has none of the factors that `Users` has read with the account.
    this.#waiting.set(ticket, Object.freeze({ ...identity }))
    const { status } = await visitor.ask(this.#path, { headers: { 'x-ticket': ticket } })
    if (status !== 204) throw noSessions()
  }

  async #enter(request: Request, response: Response): Promise<Response> {
    const ticket = request.header('x-ticket') ?? ''
    const identity = this.#waiting.get(ticket)
    this.#waiting.delete(ticket)
    const { sessions } = request
    if (identity === undefined || !(sessions instanceof Sessions)) return response.status(404)
    await this.#gate.pass(request, identity, {
      key: sessions.identityKeys.first,
      way: 'test',
      isTrusted: () => true,
      proven: null,
      remember: false,
    })
    return response.status(204)
  }
}

function noSessions(): ConfigurationError {
  return new ConfigurationError(
    'E_SESSION_MISSING',
    'actingAs() needs sessions around every route: pass `sessions` to defineProject()',
  )
}
