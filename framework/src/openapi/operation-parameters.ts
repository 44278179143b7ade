import type { JsonSchema } from '../base/schema/json-schema.ts'
import { isSchema } from './map-schema.ts'
import type { PathParameter } from './path-template.ts'

/** A parameter of an operation. */
export interface OperationParameter extends PathParameter {
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly style?: 'form'
  readonly explode?: boolean
}

/** The parameters in the path. */
export function pathParameters(parameters: readonly PathParameter[]): OperationParameter[] {
  return parameters.map(({ name, ...rest }) => ({ name, in: 'path', required: true, ...rest }))
}

/**
 * The parameters of a query: one for each property of its schema. Lists are sent as `tag[]`. A query that
 * is not simply an object, but one of several for example, is one parameter whose properties are sent.
 */
export function queryParameters(schema: JsonSchema): OperationParameter[] {
  const { properties, required } = schema
  const isPlain =
    isSchema(properties) && !['allOf', 'anyOf', 'oneOf', '$ref'].some(inSchema(schema))
  if (!isPlain) {
    const isNeeded = Array.isArray(required) && required.length > 0
    return [
      { name: 'query', in: 'query', required: isNeeded, style: 'form', explode: true, schema },
    ]
  }
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, part]) =>
    queryParameter(name, isSchema(part) ? part : {}, needed.includes(name)),
  )
}

function queryParameter(name: string, schema: JsonSchema, required: boolean): OperationParameter {
  const { type, description } = schema
  return {
    name: type === 'array' ? `${name}[]` : name,
    in: 'query',
    required,
    ...(typeof description === 'string' && { description }),
    schema,
  }
}

function inSchema(schema: JsonSchema): (keyword: string) => boolean {
  return (keyword) => keyword in schema
}
