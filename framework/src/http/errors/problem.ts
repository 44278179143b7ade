import { invalidArgument } from '../../base/errors.ts'
import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import { HttpError } from './http-error.ts'
import type { HttpErrorOptions } from './http-error.ts'

/** Options of a `Problem`. */
export type ProblemOptions = Pick<HttpErrorOptions, 'headers' | 'cause'>

/** A problem without members of its own. */
export type NoMembers = Readonly<Record<string, never>>

type ProblemArguments<Members extends object> = NoMembers extends Members
  ? [members?: Members, options?: ProblemOptions]
  : [members: Members, options?: ProblemOptions]

/** A class of problems, as a route lists it. */
export interface ProblemClass {
  readonly type: string
  readonly title: string | null
  readonly status: number
  readonly members: StandardSchema | null
  readonly prototype: Problem<object>
}

/**
 * An error that is part of an API (RFC 9457). Subclasses say what they are in static properties:
 * `class OutOfStock extends Problem<{ left: number }> { static override readonly status = 409 }`, and are
 * thrown with a text for people: `throw new OutOfStock('Only two are left.', { left: 2 })`. Clients that
 * prefer JSON get the document, browsers the page of the status with the text.
 */
export class Problem<Members extends object = NoMembers> extends HttpError {
  /** A URI that identifies the problem, absolute or a path of this site. */
  static readonly type: string = 'about:blank'
  /** The same for every occurrence; null for the text of the status. */
  static readonly title: string | null = null
  static readonly status: number = 400
  /** Describes the members of its own, for documentation; never run. */
  static readonly members: StandardSchema | null = null

  readonly type: string
  readonly title: string | null
  readonly #members: Readonly<Record<string, unknown>>

  /** `detail` is shown to clients: never put input or internals into it. */
  constructor(detail: string, ...[members, options]: ProblemArguments<Members>) {
    super(new.target.status, detail, { ...options, expose: true })
    this.name = new.target.name
    this.type = new.target.type
    this.title = new.target.title
    this.#members = Object.fromEntries<unknown>(Object.entries(members ?? {}))
  }

  /** Members of the document besides those of RFC 9457; not in what logs show of an error. */
  get members(): Readonly<Record<string, unknown>> {
    return this.#members
  }
}

/** @throws InvalidArgumentException for anything but a subclass of `Problem`. */
export function checkProblem(problem: unknown): void {
  if (typeof problem === 'function' && problem.prototype instanceof Problem) return
  throw invalidArgument('"problems" of a route lists something that is not a subclass of Problem')
}
