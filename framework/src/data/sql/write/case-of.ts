import { InvalidArgumentException } from '../../../base/errors.ts'

/**
 * A check that a value is a case of an enumeration, for where it is given: what comes from a request
 * has the type of its parameter only on paper.
 */
export function caseOf<const Case extends string>(
  what: string,
  cases: Readonly<Record<string, Case>>,
): (value: unknown) => Case {
  const known: ReadonlySet<unknown> = new Set(Object.values(cases))
  const isKnown = (value: unknown): value is Case => known.has(value)
  return (value) => {
    if (isKnown(value)) return value
    const words = Object.values(cases).map((word) => `'${word}'`)
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `${what} is one of ${words.join(', ')}, got ${shown(value)}`,
    )
  }
}

const maxShown = 40

function shown(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? JSON.stringify(value.slice(0, maxShown)) : typeof value
}
