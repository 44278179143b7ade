import { invalidArgument, InvalidArgumentException } from '../../base/errors.ts'
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
      throw invalidArgument('Authenticating needs at least one guard, such as new SessionGuard()')
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

/**
 * The `WWW-Authenticate` header of a guard: one challenge for each scheme of its guards, with the realm
 * of the first guard that names one.
 * @throws InvalidArgumentException for a scheme or realm that does not fit into the header.
 */
export function challengeHeader(guard: Guard): string {
  const realms = new Map<string, string | undefined>()
  for (const { scheme = 'Cookie', realm } of singleGuards(guard)) {
    realms.set(scheme, realms.get(scheme) ?? realm)
  }
  return [...realms].map(([scheme, realm]) => singleChallenge({ scheme, realm })).join(', ')
}

/**
 * The challenge of one guard.
 * @throws InvalidArgumentException for a scheme or realm that does not fit into the header.
 */
export function singleChallenge({
  scheme = 'Cookie',
  realm = 'Protected area',
}: Pick<Guard, 'scheme' | 'realm'>): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(scheme)) throw invalid('scheme', 'a word such as Bearer')
  if (!/^[\x20-\x7e]*$/.test(realm)) throw invalid('realm', 'printable ASCII characters only')
  return `${scheme} realm="${realm.replace(/["\\]/g, String.raw`\$&`)}"`
}

/** The guards that a guard consists of, in the order in which they are tried. */
export function singleGuards(guard: Guard): readonly Guard[] {
  return guard instanceof Authenticating ? guard.guards.flatMap(singleGuards) : [guard]
}

function invalid(part: string, expected: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_HEADER',
    `the ${part} of a guard is sent in a header: use ${expected}`,
  )
}
