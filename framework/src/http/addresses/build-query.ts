import { InvalidArgumentException } from '../../base/errors.ts'

/**
 * A query with its question mark; empty if nothing is left of it.
 * @throws InvalidArgumentException (E_ROUTE_PARAMETER) for a value that is not text, number or boolean.
 */
export function buildQuery(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value ?? null]
    for (const item of list) if (item !== null) parameters.append(name, textOf(name, item))
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new InvalidArgumentException(
    'E_ROUTE_PARAMETER',
    `the query parameter "${name}" must be a text, a number or a boolean, got ${typeof value}`,
  )
}
