import { invalidArgument } from '../../../base/errors.ts'

/**
 * Makes a function that checks whether a value belongs to an enumeration: a value from a request
 * may not have the type that its parameter declares.
 */
export function caseChecker<const Case extends string>(
  what: string,
  cases: Readonly<Record<string, Case>>,
): (value: unknown) => Case {
  const known: ReadonlySet<unknown> = new Set(Object.values(cases))
  const isKnown = (value: unknown): value is Case => known.has(value)
  return (value) => {
    if (isKnown(value)) return value
    const words = Object.values(cases).map((word) => `'${word}'`)
    throw invalidArgument(`${what} must be one of ${words.join(', ')}, got ${shown(value)}`)
  }
}

const maxShown = 40

function shown(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? JSON.stringify(value.slice(0, maxShown)) : typeof value
}
