import type { JsonSchema } from '../base/schema/json-schema.ts'
import { ErrorFormats } from '../http/errors/error-format.ts'
import type { ProblemClass } from '../http/errors/problem.ts'
import type { Route } from '../http/router/route.ts'
import { statusText } from '../http/server/engine/node-http.ts'
import type { Components, Reference } from './components.ts'
import type { Content } from './request-body.ts'

/** A response of an operation. */
export interface OperationResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly schema: JsonSchema }>>
  readonly content?: Content
}

/** The responses of an operation by status. */
export type OperationResponses = Readonly<Record<string, OperationResponse | Reference>>

/** Why a status of the framework comes. */
const reasons: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'Nobody is signed in, or the token is not valid.',
  403: 'Not allowed.',
  404: 'Not found.',
  413: 'The body is too large.',
  415: 'The body has another type.',
  422: 'The input does not fit.',
  429: 'Too many requests.',
}

/** The responses of a route: what it declares, its problems, and the refusals of what is around it. */
export async function operationResponses(
  route: Route,
  label: string,
  refusals: readonly number[],
  components: Components<OperationResponse>,
): Promise<OperationResponses> {
  const found = new Map<string, OperationResponse | Reference>()
  const declared = (route.openapi || {}).responses ?? {}
  const isDone = Object.keys(declared).some((status) => Number(status) < 400)
  if (!isDone) found.set('2XX', { description: 'Success.' })
  if (route.form !== null) found.set('303', { description: 'A form is done, or goes back.' })
  const own = route.problems.map(({ status }) => status)
  for (const status of new Set([...refusals, ...own])) {
    const asRefusal = refusals.includes(status)
    found.set(String(status), await errorResponse(route, status, asRefusal, components))
  }
  for (const [status, given] of Object.entries(declared)) {
    const code = Number(status)
    if (typeof given === 'string') {
      const error = code < 400 ? {} : { content: await errorContent(route, code, true, components) }
      found.set(status, { description: given, ...error })
      continue
    }
    const place = `the response ${status} of ${label}`
    const schema = await components.describe(given, { side: 'output', label: place })
    found.set(status, {
      description: statusText(code),
      content: { 'application/json': { schema } },
    })
  }
  return Object.fromEntries(found)
}

// Most errors are the same on every route.
async function errorResponse(
  route: Route,
  status: number,
  asRefusal: boolean,
  components: Components<OperationResponse>,
): Promise<OperationResponse | Reference> {
  const problems = route.problems.filter((kind) => kind.status === status)
  const titles = problems.map(({ title }) => `${title ?? statusText(status)}.`)
  const reason = asRefusal ? (reasons[status] ?? statusText(status)) : ''
  const describe = async (): Promise<OperationResponse> => ({
    description: [...new Set([reason, ...titles])].join(' ').trim(),
    ...(status === 429 && { headers: { 'Retry-After': { schema: { type: 'integer' } } } }),
    content: await errorContent(route, status, asRefusal, components),
  })
  if (problems.length > 0) return describe()
  const suffix = route.errorFormat === ErrorFormats.Problem ? 'Problem' : ''
  return components.share(`${statusText(status).replaceAll(/\W+/g, '')}${suffix}`, describe)
}

async function errorContent(
  route: Route,
  status: number,
  asRefusal: boolean,
  components: Components<OperationResponse>,
): Promise<Content> {
  const problems = route.problems.filter((kind) => kind.status === status)
  const documents = await Promise.all(problems.map((kind) => declaredProblem(components, kind)))
  if (asRefusal) {
    const isInput = status === 422 && route.input !== null
    documents.push(await (isInput ? invalidInput(components) : anyProblem(components)))
  }
  const [first = {}] = documents
  const schema = documents.length === 1 ? first : { anyOf: documents }
  if (route.errorFormat === ErrorFormats.Problem) return { 'application/problem+json': { schema } }
  return {
    'application/problem+json': { schema },
    'application/json': { schema: await components.refer(plainError, 'Error', () => plainError) },
    'text/html': { schema: { type: 'string' } },
  }
}

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

/** For clients that accept JSON but name no problem documents. */
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
function anyProblem(components: Components): Promise<JsonSchema> {
  return components.refer(problem, 'Problem', () => problem)
}

/** The document of input that does not fit. */
function invalidInput(components: Components): Promise<JsonSchema> {
  return components.refer(inputErrors, 'InvalidInput', async () => ({
    allOf: [await anyProblem(components), inputErrors],
  }))
}

/** The document of a declared problem. */
function declaredProblem(components: Components, kind: ProblemClass): Promise<JsonSchema> {
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
