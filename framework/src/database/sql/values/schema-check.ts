import { InvalidArgumentException } from '../../../base/errors.ts'
import type { SchemaIssue, StandardSchema } from '../../../base/schema/standard-schema.ts'

/**
 * The document that a schema makes of a value of a JSON column. What is wrong is named by its place alone:
 * the messages of schema libraries repeat values.
 * @throws what `misfit` makes of the places where the value does not fit; InvalidArgumentException
 * (E_ENTITY) for a schema that checks asynchronously.
 */
export function checkDocument(
  schema: StandardSchema,
  value: unknown,
  column: string,
  misfit: (places: string) => Error,
): unknown {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) {
    throw new InvalidArgumentException(
      'E_ENTITY',
      `the schema of ${column} checks asynchronously, but rows are read without waiting; use a schema without asynchronous checks`,
    )
  }
  if (result.issues === undefined) return result.value
  throw misfit(placesOf(result.issues))
}

const maxPlaces = 5

/** Where a value does not fit its schema. */
export function placesOf(issues: readonly SchemaIssue[]): string {
  const places = new Set(issues.map(placeOf))
  const shown = [...places].slice(0, maxPlaces).join(', ')
  return places.size > maxPlaces ? `${shown} and ${places.size - maxPlaces} more` : shown
}

function placeOf({ path = [] }: SchemaIssue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part))
  return keys.length === 0 ? 'the top' : keys.join('.')
}
