import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { RequestIdentity, Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Next } from '../../http/router/middleware.ts'
import { requireIdentity } from './require-identity.ts'
import { UserGuard } from './authentication.ts'

/** The decision of a policy. Anything but `true` refuses. */
export type PolicyDecision = boolean | Promise<boolean>

/**
 * A rule that says whether somebody may do something with a record: a plain function, such as
 * `(user, note) => note.ownerId === user.id`. One without a record ignores its second argument.
 */
export type Policy<Who = RequestIdentity, Item = unknown> = (
  identity: Who,
  record: Item,
) => PolicyDecision

/** How a refusal looks. */
export interface AllowOptions {
  /**
   * Whether nobody may learn that the record exists: then a refusal is a 404.
   * @default false: a refusal is a 403
   */
  readonly private?: boolean
}

/** Options of `allow(policy, …)` on a route whose policy looks at a record. */
export interface AllowRecordOptions<Item> extends AllowOptions {
  /** Loads the record of a request; null is a 404. */
  readonly record: (request: Request) => Item | null | undefined | Promise<Item | null | undefined>
}

/** A request, as far as policies look at it. */
type Asked = Pick<Request<never>, 'identity'>

/** Asks policies, as a guard of a route or in a handler; see `allow`. */
export interface Allow<Who> {
  /** A guard that asks a policy about the user. */
  (policy: (identity: Who) => PolicyDecision, options?: AllowOptions): PolicyGuard
  /** A guard that asks a policy about the user and the record of the request. */
  <Item>(policy: Policy<Who, Item>, options: AllowRecordOptions<Item>): PolicyGuard
  /**
   * Asks a policy about the user.
   * @throws HttpError 403 for a refusal, 401 for a guest.
   */
  (request: Asked, policy: (identity: Who) => PolicyDecision): Promise<void>
  /**
   * Asks a policy about a record and resolves with that record.
   * @throws HttpError 404 for a record that does not exist, 403 or 404 for a refusal, 401 for a guest.
   */
  <Item>(
    request: Asked,
    policy: Policy<Who, Item>,
    record: Item | null | undefined,
    options?: AllowOptions,
  ): Promise<Item>
}

/**
 * An `allow` whose policies are about something that belongs to the account, such as its row with a role:
 * `allowFor(({ id }) => members.find(Number(id)))`. An account without one is refused.
 */
export function allowFor<Found>(
  find: (identity: RequestIdentity) => Found,
): Allow<NonNullable<Awaited<Found>>> {
  type Who = NonNullable<Awaited<Found>>
  function allow(policy: (identity: Who) => PolicyDecision, options?: AllowOptions): PolicyGuard
  function allow<Item>(policy: Policy<Who, Item>, options: AllowRecordOptions<Item>): PolicyGuard
  function allow(request: Asked, policy: (identity: Who) => PolicyDecision): Promise<void>
  function allow<Item>(
    request: Asked,
    policy: Policy<Who, Item>,
    record: Item | null | undefined,
    options?: AllowOptions,
  ): Promise<Item>
  function allow(
    first: Policy<Who> | Asked,
    second: Policy<Who> | Partial<AllowRecordOptions<unknown>> = {},
    ...about: readonly [record?: unknown, options?: AllowOptions]
  ): PolicyGuard | Promise<unknown> {
    if (typeof first === 'function') {
      const options: Partial<AllowRecordOptions<unknown>> =
        typeof second === 'function' ? {} : second
      const { record } = options
      const described = { policy: first.name, status: statusOf(options) }
      return new PolicyGuard(described, async (request) => {
        if (record === undefined) return ask(request, first, undefined, options)
        return askAbout(request, first, await record(request), options)
      })
    }
    if (typeof second !== 'function') throw noPolicy()
    // Counted, because a record that was not found may be undefined, and must not pass for none.
    if (about.length === 0) return ask(first, second, undefined, {})
    const [record, options = {}] = about
    return askAbout(first, second, record, options)
  }

  async function askAbout<Item>(
    request: Asked,
    policy: Policy<Who, Item>,
    record: Item | null | undefined,
    options: AllowOptions,
  ): Promise<Item> {
    if (record === null || record === undefined) throw new HttpError(404)
    await ask(request, policy, record, options)
    return record
  }

  async function ask<Item>(
    request: Asked,
    policy: Policy<Who, Item>,
    record: Item,
    options: AllowOptions,
  ): Promise<void> {
    if (request.identity === null && options.private === true) throw new HttpError(404)
    const who = await find(requireIdentity(request))
    // Compared with true: a policy in JavaScript that returns a row or a function by mistake refuses.
    const decision: unknown = who === null || who === undefined ? false : await policy(who, record)
    if (decision !== true) throw refusal(options)
  }

  return allow
}

/**
 * Asks a policy. As a guard after `Authentication`: `middlewares: [signedIn, allow(isAdmin)]`, with a
 * record `allow(mayEdit, { record: ({ params }) => notes.find(params.id) })`. In a handler: `const note =
 * await allow(request, mayEdit, await notes.find(id))`. A refusal is a 403, or with `private: true` a 404.
 */
export const allow: Allow<RequestIdentity> = allowFor((identity: RequestIdentity) => identity)

/** What a `PolicyGuard` shows of its policy. */
export interface PolicyGuardOptions {
  /** The name of the function; empty if it has none. */
  readonly policy: string
  /** The status of a refusal. */
  readonly status: 403 | 404
}

/** The middleware of `allow(policy)`: lets requests through that the policy allows. */
export class PolicyGuard extends UserGuard implements PolicyGuardOptions {
  readonly label: string
  readonly policy: string
  readonly status: 403 | 404
  readonly #check: (request: Request) => Promise<unknown>

  constructor(
    { policy, status }: PolicyGuardOptions,
    check: (request: Request) => Promise<unknown>,
  ) {
    super(
      'E_POLICY',
      `allow(${policy}) looks at signed-in users; put Authentication before it: ` +
        'middlewares: [signedIn, allow(policy)]',
    )
    this.label = policy === '' ? 'PolicyGuard' : `PolicyGuard(${policy})`
    this.policy = policy
    this.status = status
    this.#check = check
  }

  async process(request: Request, _response: Response, next: Next): Promise<Response> {
    await this.#check(request)
    return next()
  }
}

function statusOf(options: AllowOptions): 403 | 404 {
  return options.private === true ? 404 : 403
}

function refusal(options: AllowOptions): HttpError {
  return statusOf(options) === 404
    ? new HttpError(404)
    : new HttpError(403, 'You are not allowed to do this.', { expose: true })
}

function noPolicy(): InvalidArgumentException {
  return invalidArgument(
    'allow() asks a policy: allow(policy) for a guard, or allow(request, policy, record) in a handler',
  )
}
