import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import type { Input, InputOptions } from '../input/input.ts'
import type { Params } from '../request/request.ts'
import type { UploadOptions } from '../request/upload-options.ts'
import type { Handler } from './route.ts'
import type { PathParams } from './path-params.ts'

/** Options of `action`. */
export interface ActionOptions<
  Body extends StandardSchema = never,
  Query extends StandardSchema = never,
> extends InputOptions<Body, Query> {
  /** As in the options of a route. */
  readonly uploads?: UploadOptions
}

/** A handler together with the input it takes. */
export class Action<P = Params> {
  /** The types of its input are those of its own schemas, which run before it. */
  readonly handle: Handler<P, never>
  readonly options: ActionOptions<StandardSchema, StandardSchema>

  constructor(options: ActionOptions<StandardSchema, StandardSchema>, handle: Handler<P, never>) {
    this.options = options
    this.handle = handle
  }
}

/**
 * Declares the input of a handler beside it, in a file without routes:
 * `action({ body: Note }, async ({ input }) => notes.add(input.body))`. The types of path parameters come
 * from the expected result, such as `Action<PathParams<'/notes/:id<int>'>>`.
 */
export function action<
  P = Params,
  Body extends StandardSchema = never,
  Query extends StandardSchema = never,
>(
  options: ActionOptions<Body, Query>,
  handle: Handler<P, Input<NoInfer<Body>, NoInfer<Query>>>,
): Action<P> {
  return new Action(options, handle)
}

/** A handler with the parameters of its path and of its groups, and the input of its route; or an action. */
export type Endpoint<
  Path extends string,
  Body extends StandardSchema,
  Query extends StandardSchema,
  Outer = unknown,
> =
  | Handler<Outer & PathParams<Path>, Input<NoInfer<Body>, NoInfer<Query>>>
  | Action<Outer & PathParams<Path>>
