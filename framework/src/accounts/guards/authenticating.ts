import { InvalidArgumentException } from '../../base/errors.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Middleware } from '../../http/router/middleware.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import type { Guard } from './guard.ts'

/** Combines guards: they are tried in order until one recognises the request. */
export class Authenticating implements Guard {
  readonly #guards: readonly Guard[]

  /** @throws InvalidArgumentException if no guard is given: nobody could ever pass. */
  constructor(...guards: readonly Guard[]) {
    if (guards.length === 0) {
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        'Authenticating needs at least one guard, such as new SessionGuard()',
      )
    }
    this.#guards = guards
  }

  /** The guards, in the order in which they are tried. */
  get guards(): readonly Guard[] {
    return this.#guards
  }

  get realm(): string | undefined {
    return this.#guards.find(({ realm }) => realm !== undefined)?.realm
  }

  async authenticate(request: Request, response: Response): Promise<boolean> {
    for (const guard of this.#guards) {
      if (await guard.authenticate(request, response)) return true
    }
    return false
  }

  defers(request: Request): boolean {
    return this.#guards.some((guard) => guard.defers?.(request) === true)
  }

  finish(request: Request, response: Response): void {
    for (const guard of this.#guards) guard.finish?.(request, response)
  }

  attach(server: ServerHost): void {
    for (const guard of this.#guards) guard.attach?.(server)
  }

  join(outer: readonly Middleware[]): void {
    for (const guard of this.#guards) guard.join?.(outer)
  }
}
