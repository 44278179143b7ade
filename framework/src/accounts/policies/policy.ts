import type { RequestIdentity } from '../../http/request/request-identity.ts'
import type { Request } from '../../http/request/request.ts'

/** The answer of a policy. Anything but `true` refuses. */
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
