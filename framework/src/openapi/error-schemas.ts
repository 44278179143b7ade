import type { JsonSchema } from '../base/schema/json-schema.ts'
import type { ProblemClass } from '../http/errors/problem.ts'
import { statusText } from '../http/server/engine/node-http.ts'
import type { Components } from './components.ts'

const text = { type: 'string' } as const

const problem: JsonSchema = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: { ...text, description: 'A URI that identifies the problem.' },
    title: { ...text, description: 'The same for every occurrence.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { ...text, description: 'For people.' },
    instance: { ...text, description: 'The path of the request.' },
    request: { ...text, description: 'The id of the request, as in the logs.' },
  },
  required: ['type', 'title', 'status'],
}

const plainError: JsonSchema = {
  type: 'object',
  properties: { error: text },
  required: ['error'],
}

const inputErrors: JsonSchema = {
  type: 'object',
  properties: {
    status: { const: 422 },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          pointer: { ...text, description: 'A JSON pointer into the body, as `#/title`.' },
          parameter: { ...text, description: 'A parameter of the query.' },
          detail: text,
        },
        required: ['detail'],
      },
    },
  },
  required: ['status', 'errors'],
}

/** Any problem document. */
export function anyProblem(components: Components): Promise<JsonSchema> {
  return components.refer(problem, 'Problem', () => problem)
}

/** `{ error }`, for clients that accept JSON but name no problem documents. */
export function errorBody(components: Components): Promise<JsonSchema> {
  return components.refer(plainError, 'Error', () => plainError)
}

/** The document of input that does not fit. */
export function invalidInput(components: Components): Promise<JsonSchema> {
  return components.refer(inputErrors, 'InvalidInput', async () => ({
    allOf: [await anyProblem(components), inputErrors],
  }))
}

/** The document of a declared problem. */
export function declaredProblem(components: Components, kind: ProblemClass): Promise<JsonSchema> {
  const { name } = kind.prototype.constructor
  return components.refer(kind, name, async () => {
    const { type, status, title, members } = kind
    const own = {
      type: 'object',
      properties: {
        type: { const: type },
        title: { const: title ?? statusText(status) },
        status: { const: status },
      },
      required: ['type', 'title', 'status'],
    }
    const label = `the members of the problem ${name}`
    const described =
      members === null ? [] : [await components.describe(members, { side: 'output', label })]
    return { allOf: [await anyProblem(components), own, ...described] }
  })
}
