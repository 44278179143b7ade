import { hash, timingSafeEqual } from 'node:crypto'
import { Environments } from '../../app/environments/environments.ts'
import { HttpError } from '../errors/http-error.ts'
import { isPrivateAddress } from '../request/is-private-address.ts'
import type { Request } from '../request/request.ts'
import type { MiddlewareFunction } from '../router/middleware.ts'
import type { ServerHost } from '../server/server-host.ts'

/** Options of `MetricsAccess`. */
export interface MetricsAccessOptions {
  readonly environment: Environments
  /** Opens the metrics to clients anywhere that send it as a bearer token; null for none. */
  readonly token: string | null
}

/**
 * Who may see `/metrics` and `/ready`: clients on this machine and in private networks, and those that
 * send the token. A forwarded request counts as its client's, and nobody's if no trusted proxy says who
 * that is. In `test` everyone may.
 */
export class MetricsAccess {
  readonly #isOpen: boolean
  readonly #digest: Buffer | null

  constructor({ environment, token }: MetricsAccessOptions) {
    this.#isOpen = environment === Environments.Test
    this.#digest = token === null ? null : digestOf(token)
  }

  /** Whether the client of a request may see them. */
  allows(request: Request): boolean {
    if (this.#isOpen) return true
    const { client } = request
    return (client !== null && isPrivateAddress(client)) || this.#hasToken(request)
  }

  #hasToken(request: Request): boolean {
    if (this.#digest === null) return false
    const sent = /^bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1]
    // Digests have one length, so that the comparison takes the same time whatever was sent.
    return sent !== undefined && timingSafeEqual(digestOf(sent), this.#digest)
  }
}

/** The middleware in front of them: whoever may not see them finds nothing, as at a path without a route. */
export function metricsGate(server: ServerHost): MiddlewareFunction {
  let access: MetricsAccess | null = null
  return function metricsGate(request, _response, next) {
    // Created on first use: options may still change until the server starts.
    access ??= new MetricsAccess({
      environment: server.environment,
      token: server.observability.token,
    })
    if (!access.allows(request)) throw new HttpError(404)
    return next()
  }
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
