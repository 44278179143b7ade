import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import type { Input } from '../input/input.ts'
import type { Action } from './action.ts'
import type { PathParams } from './path-params.ts'
import type { Handler } from './route.ts'

/** A handler with the parameters of its path and of its groups, and the input of its route; or an action. */
export type Endpoint<
  Path extends string,
  Body extends StandardSchema,
  Query extends StandardSchema,
  Outer = unknown,
> =
  | Handler<Outer & PathParams<Path>, Input<NoInfer<Body>, NoInfer<Query>>>
  | Action<Outer & PathParams<Path>>
