/** Whether a value parsed from JSON is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * An object inside of another.
 * @throws Error if there is none.
 */
export function recordIn(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const found = isRecord(value) ? value[name] : undefined
  if (isRecord(found)) return found
  throw new Error(`there is no object ${name} in ${JSON.stringify(value)}`)
}
