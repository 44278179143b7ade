import type {
  SchemaResult,
  StandardSchema,
  StandardSchemaProps,
} from '../../base/schema/standard-schema.ts'
import { isListSchema } from '../lists/list-schema.ts'
import { InvalidInput, InvalidQuery } from '../errors/invalid-input.ts'
import type { InputPart } from '../errors/invalid-input.ts'
import { readBodyInput, readQueryInput } from './read-input.ts'
import type { InputSource } from './read-input.ts'

/**
 * A part of a request as a schema parses it.
 * @throws InvalidInput if it does not fit; HttpError for a body that cannot be read.
 */
export async function validateInput<Output>(
  source: InputSource,
  schema: StandardSchema<unknown, Output>,
  part: InputPart = 'body',
): Promise<Output> {
  const standard = schema['~standard']
  const value = part === 'body' ? await readBodyInput(source) : readQueryInput(source, standard)
  return parseInput(standard, value, part)
}

/**
 * The value that a schema makes of input, at once unless the schema is asynchronous.
 * @throws InvalidInput if it does not fit.
 */
export function parseInput<Output>(
  standard: StandardSchemaProps<unknown, Output>,
  value: unknown,
  part: InputPart,
): Output | Promise<Output> {
  const result = standard.validate(value)
  if (result instanceof Promise) return result.then((settled) => valueOf(settled, standard, part))
  return valueOf(result, standard, part)
}

function valueOf<Output>(
  result: SchemaResult<Output>,
  standard: StandardSchemaProps,
  part: InputPart,
): Output {
  if (result.issues === undefined) return result.value
  const Refusal = isListSchema(standard) ? InvalidQuery : InvalidInput
  throw new Refusal(result.issues, part)
}
