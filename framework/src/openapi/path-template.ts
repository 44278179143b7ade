import type { JsonSchema } from '../base/schema/json-schema.ts'
import type { Constraint, Segment } from '../http/router/route-pattern.ts'

/** A parameter in a path. */
export interface PathParameter {
  readonly name: string
  readonly schema: JsonSchema
  /** Says what a template cannot. */
  readonly description?: string
}

/** A path as OpenAPI writes it: `/notes/{id}`. */
export interface PathTemplate {
  readonly text: string
  /** The template without names: two of the same shape are the same path. */
  readonly shape: string
  readonly parameters: readonly PathParameter[]
}

/**
 * The template of one form of a pattern. `names` are those of an earlier template of the same shape, in
 * their order.
 */
export function pathTemplate(
  segments: readonly Segment[],
  names: readonly string[] = [],
): PathTemplate {
  const parameters: PathParameter[] = []
  const parts = segments.map((segment) => {
    if (segment.kind === 'static') return segment.text
    const name = names[parameters.length] ?? segment.name
    parameters.push({ name, ...parameterOf(segment) })
    return `{${name}}`
  })
  const shape = parts.map((part) => (part.startsWith('{') ? '{}' : part))
  return { text: `/${parts.join('/')}`, shape: `/${shape.join('/')}`, parameters }
}

function parameterOf(segment: Exclude<Segment, { kind: 'static' }>): Omit<PathParameter, 'name'> {
  const text = { type: 'string', minLength: 1 }
  if (segment.kind === 'rest') {
    return { schema: text, description: 'The rest of the path; slashes in it are not encoded.' }
  }
  return { schema: segment.constraint === null ? text : constraintSchema(segment.constraint) }
}

/** Patterns of JSON Schema have no flags, so these name both cases. */
const named: Readonly<Record<string, JsonSchema>> = {
  int: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  uuid: { type: 'string', format: 'uuid' },
  hex: { type: 'string', pattern: '^[0-9A-Fa-f]+$' },
  alpha: { type: 'string', pattern: '^[A-Za-z]+$' },
  slug: { type: 'string', pattern: '^[0-9A-Za-z]+(?:-[0-9A-Za-z]+)*$' },
}

function constraintSchema({ source }: Constraint): JsonSchema {
  const known = Object.hasOwn(named, source) ? named[source] : undefined
  if (known !== undefined) return known
  const pattern = `^(?:${source})$`
  return isPortable(pattern) ? { type: 'string', pattern } : { type: 'string' }
}

// Validators compile patterns with the flag `u`, which refuses some of what a plain expression may have.
function isPortable(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== ''
  } catch {
    return false
  }
}
