import { InvalidArgumentException } from '../../base/errors.ts'
import { isStandardSchema } from '../../base/schema/standard-schema.ts'
import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import { checkProblem } from '../errors/problem.ts'
import { formPath } from '../input/form-path.ts'
import type { RouteInput } from '../input/input.ts'
import { isSafe } from '../request/request.ts'
import { checkUploads } from '../request/upload-options.ts'
import type { ActionOptions } from './action.ts'
import type { RoutePattern } from './route-pattern.ts'
import type { Route } from './route.ts'

type Declared = ActionOptions<StandardSchema, StandardSchema>

/** What is declared about the input of a route, complete. */
export type DeclaredInput = Pick<Route, 'uploads' | 'input' | 'form' | 'problems' | 'openapi'>

/**
 * Completes what a route and its action declare.
 * @throws InvalidArgumentException for invalid options, or something that both declare.
 */
export function declareInput(
  { method, pattern }: { readonly method: string; readonly pattern: RoutePattern },
  route: Declared,
  action: Declared,
): DeclaredInput {
  const label = `${method} ${pattern.text}`
  for (const name of ['body', 'query', 'form', 'uploads', 'openapi'] as const) {
    if (route[name] === undefined || action[name] === undefined) continue
    throw invalid(`${label} declares "${name}", and so does its action; declare it once`)
  }
  const { body, query, form, uploads, openapi } = { ...action, ...route }
  checkUploads(uploads ?? {})
  for (const [name, schema] of Object.entries({ body, query })) {
    if (schema === undefined || isStandardSchema(schema)) continue
    throw invalid(`"${name}" of ${label} is not a schema (https://standardschema.dev)`)
  }
  if (body !== undefined && isSafe(method)) {
    throw invalid(`${label} declares a body, but ${method} requests have none`)
  }
  const problems = [...(action.problems ?? []), ...(route.problems ?? [])]
  for (const problem of problems) checkProblem(problem)
  return {
    uploads: uploads ?? null,
    input: inputOf(body ?? null, query ?? null),
    form: form === undefined ? null : formPath(form, pattern),
    problems,
    openapi: openapi ?? null,
  }
}

function inputOf(body: StandardSchema | null, query: StandardSchema | null): RouteInput | null {
  return body === null && query === null ? null : { body, query }
}

function invalid(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
}
