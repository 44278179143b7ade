import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import type { ErrorFormats } from '../errors/error-format.ts'
import type { ProblemClass } from '../errors/problem.ts'
import type { FormPath } from '../input/form-path.ts'
import type { InputOptions, RouteInput, OpenApiOptions } from '../input/input.ts'
import type { Params, Request } from '../request/request.ts'
import type { DeclaredUploads, UploadOptions } from '../request/upload-options.ts'
import type { Response } from '../response/response.ts'
import type { Middleware } from './middleware.ts'
import type { RoutePattern } from './route-pattern.ts'

/** Handles a request. The return value is a `Response`, or a value for `response.send`. */
export type Handler<P = Params, I = unknown> = (
  request: Request<P, I>,
  response: Response,
) => unknown

/** Options of a route. */
export interface RouteOptions<
  Body extends StandardSchema = never,
  Query extends StandardSchema = never,
> extends InputOptions<Body, Query> {
  /** Shown by `framework routes`. */
  readonly name?: string
  /** Middlewares of this route only, inside those of the server. */
  readonly middlewares?: readonly Middleware[]
  /**
   * The files that a form may have; `{}` accepts the number and size that the server's limits allow.
   * @default none: a form with a file is refused with 415
   */
  readonly uploads?: UploadOptions
  /**
   * `json` makes errors problem details (RFC 9457) whatever the client accepts.
   * @default that of the group, or the format that the client asks for
   */
  readonly errors?: 'json'
}

/** A declared route. */
export interface Route {
  readonly method: string
  readonly pattern: RoutePattern
  readonly name: string | null
  /** Name of its route set. */
  readonly set: string | null
  readonly middlewares: readonly Middleware[]
  readonly uploads: DeclaredUploads | null
  /** Null if it declares no schema. */
  readonly input: RouteInput | null
  /** The page of its form; null if it is not declared. */
  readonly form: FormPath | null
  /** The problems that it throws. */
  readonly problems: readonly ProblemClass[]
  /** For the OpenAPI document; null if it declares nothing, false to be left out. */
  readonly openapi: OpenApiOptions | false | null
  /** The format of its errors; null for the one that the client asks for. */
  readonly errorFormat: ErrorFormats | null
  handle(this: void, request: Request, response: Response): unknown
}

/** A route as text, for listings. */
export interface RouteSummary {
  readonly method: string
  readonly pattern: string
  readonly name: string | null
  readonly set: string | null
  readonly middlewares: readonly string[]
}
