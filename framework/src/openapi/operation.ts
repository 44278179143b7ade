import { isListSchema } from '../http/input/read-input.ts'
import { isSafe } from '../http/request/request.ts'
import type { Middleware } from '../http/router/middleware.ts'
import type { Route } from '../http/router/route.ts'
import type { Components } from './components.ts'
import { pathParameters, queryParameters } from './operation-parameters.ts'
import type { OperationParameter } from './operation-parameters.ts'
import { operationResponses } from './operation-responses.ts'
import type { OperationResponse, OperationResponses } from './operation-responses.ts'
import type { PathTemplate } from './path-template.ts'
import { requestBody } from './request-body.ts'
import type { RequestBody } from './request-body.ts'
import { routeAccess } from './route-access.ts'
import type { SecurityRequirement } from './route-access.ts'

/** One method of one path. */
export interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  /** Alternatives; empty if anybody may. */
  readonly security: readonly SecurityRequirement[]
  readonly parameters?: readonly OperationParameter[]
  readonly requestBody?: RequestBody
  readonly responses: OperationResponses
}

/** Where an operation is in the document, and what its route runs in. */
export interface OperationContext {
  readonly id: string
  readonly path: PathTemplate
  /** Of the server. */
  readonly middlewares: readonly Middleware[]
  readonly components: Components<OperationResponse>
}

/** Describes a route as an operation. */
export async function describeOperation(
  route: Route,
  { id, path, middlewares, components }: OperationContext,
): Promise<Operation> {
  const label = `${route.method} ${route.pattern.text}`
  const { summary, description, tags = route.set === null ? [] : [route.set] } = route.openapi || {}
  const access = routeAccess(route.method, [...middlewares, ...route.middlewares])
  const query = route.input?.query ?? null
  const parameters = [
    ...pathParameters(path.parameters),
    ...(query === null
      ? []
      : queryParameters(
          await components.describe(query, { side: 'input', label: `the query of ${label}` }),
        )),
  ]
  const body = await requestBody(route, label, components)
  const refusals = [...access.statuses, ...inputRefusals(route, path)]
  return {
    operationId: id,
    ...(tags.length > 0 && { tags }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    security: access.security,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && { requestBody: body }),
    responses: await operationResponses(route, label, refusals, components),
  }
}

/** The statuses for what cannot be read or does not fit. */
function inputRefusals({ input, uploads, method }: Route, { parameters }: PathTemplate): number[] {
  const isList = isListSchema(input?.query?.['~standard'] ?? null)
  const needsSchema = input !== null && (input.body !== null || (input.query !== null && !isList))
  const takesBody = !isSafe(method) && ((input?.body ?? null) !== null || uploads !== null)
  return [
    ...(parameters.length > 0 ? [400, 404] : []),
    ...(takesBody ? [400, 413, 415] : []),
    ...(isList ? [400] : []),
    ...(needsSchema ? [422] : []),
  ]
}
