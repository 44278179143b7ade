import { isPlainRecord } from '../base/is-record.ts'
import type { JsonSchema } from '../base/schema/json-schema.ts'
import { isListSchema } from '../http/input/read-input.ts'
import { isSafe } from '../http/request/request.ts'
import { placeSchemas } from '../http/lists/list-schema.ts'
import type { ListLimits } from '../http/lists/list-query.ts'
import type { Middleware } from '../http/router/middleware.ts'
import type { Route } from '../http/router/route.ts'
import type { Components } from './components.ts'
import { operationResponses } from './operation-responses.ts'
import type { OperationResponse, OperationResponses } from './operation-responses.ts'
import type { PathParameter, PathTemplate } from './path-template.ts'
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

/** A parameter of an operation. */
interface OperationParameter extends PathParameter {
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly style?: 'form'
  readonly explode?: boolean
}

/** Where an operation is in the document, and what its route runs in. */
export interface OperationContext {
  readonly id: string
  readonly path: PathTemplate
  /** Of the server. */
  readonly middlewares: readonly Middleware[]
  readonly listLimits: ListLimits
  readonly components: Components<OperationResponse>
}

/** Describes a route as an operation. */
export async function describeOperation(
  route: Route,
  { id, path, middlewares, listLimits, components }: OperationContext,
): Promise<Operation> {
  const label = `${route.method} ${route.pattern.text}`
  const { summary, description, tags = route.set === null ? [] : [route.set] } = route.openapi || {}
  const access = routeAccess(route.method, [...middlewares, ...route.middlewares])
  const query = route.input?.query ?? null
  const queried =
    query === null
      ? []
      : queryParameters(
          await components.describe(query, { side: 'input', label: `the query of ${label}` }),
        )
  const declared = new Set(queried.map(({ name }) => name))
  const parameters = [
    ...path.parameters.map(
      ({ name, ...rest }) => ({ name, in: 'path', required: true, ...rest }) as const,
    ),
    ...queried,
    ...pageParameters(route, listLimits).filter(({ name }) => !declared.has(name)),
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

/**
 * The parameters of a query: one for each property of its schema. Lists are sent as `tag[]`. A query that
 * is not simply an object, but one of several for example, is one parameter whose properties are sent.
 */
function queryParameters(schema: JsonSchema): OperationParameter[] {
  const { properties, required } = schema
  const isAlternative = ['allOf', 'anyOf', 'oneOf', '$ref'].some((keyword) => keyword in schema)
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  if (!isPlainRecord(properties) || isAlternative) {
    const isNeeded = needed.length > 0
    return [
      { name: 'query', in: 'query', required: isNeeded, style: 'form', explode: true, schema },
    ]
  }
  const parameters: OperationParameter[] = []
  for (const [name, given] of Object.entries(properties)) {
    const part = isPlainRecord(given) ? given : {}
    const { type, description } = part
    parameters.push({
      name: type === 'array' ? `${name}[]` : name,
      in: 'query',
      required: needed.includes(name),
      ...(typeof description === 'string' && { description }),
      schema: part,
    })
  }
  return parameters
}

/** The parameters of a handler that paginates without a list by declaration. */
function pageParameters({ openapi }: Route, limits: ListLimits): OperationParameter[] {
  const { paginated: mode } = openapi || {}
  if (mode === undefined) return []
  return queryParameters({ properties: placeSchemas(limits, mode) })
}

/** The statuses for what cannot be read or does not fit. */
function inputRefusals(
  { input, uploads, method, openapi }: Route,
  { parameters }: PathTemplate,
): number[] {
  const isList = isListSchema(input?.query?.['~standard'] ?? null)
  const needsSchema = input !== null && (input.body !== null || (input.query !== null && !isList))
  const takesBody = !isSafe(method) && ((input?.body ?? null) !== null || uploads !== null)
  return [
    ...(parameters.length > 0 ? [400, 404] : []),
    ...(takesBody ? [400, 413, 415] : []),
    ...(isList || (openapi || {}).paginated !== undefined ? [400] : []),
    ...(needsSchema ? [422] : []),
  ]
}
