import type { SchemaOutput, StandardSchema } from '../../base/schema/standard-schema.ts'
import type { Modes } from '../../orm/pagination/pagination.ts'
import type { ProblemClass } from '../errors/problem.ts'

/** The type of `request.input` for the schemas of a route; what is not declared is not there. */
export type Input<Body extends StandardSchema, Query extends StandardSchema> = ([Body] extends [
  never,
]
  ? unknown
  : { readonly body: SchemaOutput<Body> }) &
  ([Query] extends [never] ? unknown : { readonly query: SchemaOutput<Query> })

/** What a route declares about its input, beside its handler or with `action`. */
export interface InputOptions<
  Body extends StandardSchema = never,
  Query extends StandardSchema = never,
> {
  /** The schema of JSON and form bodies: `request.input.body`. */
  readonly body?: Body
  /** The schema of the query: `request.input.query`. */
  readonly query?: Query
  /**
   * The page that shows the form, with the parameters of the route: `/notes/:id/edit`. An invalid form goes
   * back to it.
   * @default the page of this site that the browser sent the form from
   */
  readonly form?: string
  /** The problems that it throws, for documentation. */
  readonly problems?: readonly ProblemClass[]
  /**
   * What the OpenAPI document says about it; `{}` lists it, `false` leaves it out.
   * @default listed if it declares input or problems and no `form`, or if its errors are JSON
   */
  readonly openapi?: OpenApiOptions | false
}

/** The schemas of a route; null for a part that is not declared. */
export interface RouteInput {
  readonly body: StandardSchema | null
  readonly query: StandardSchema | null
}

/** What the OpenAPI document says about a route besides what its options tell anyway. */
export interface OpenApiOptions {
  /** A few words, for lists. */
  readonly summary?: string
  /** More about it; CommonMark. */
  readonly description?: string
  /** @default the name of the route set */
  readonly tags?: readonly string[]
  /**
   * That the handler calls `response.database.paginate`, in this mode: the document has `limit`, `page` and
   * `cursor`, or by `cursor` no `page`. A list by declaration tells it anyway. @default not at all
   */
  readonly paginated?: Modes
  /**
   * Responses by status: the schema of a JSON body, or a text that says when it comes. Nothing is checked
   * by them: `{ 201: Note, 409: 'The note was changed by somebody else.' }`.
   * @default any successful status
   */
  readonly responses?: Readonly<Record<number, StandardSchema | string>>
}
