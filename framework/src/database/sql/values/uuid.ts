const pattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** A UUID as all databases write it, in lower case. Null for anything that is not a UUID. */
export function uuidText(value: unknown): string | null {
  return typeof value === 'string' && pattern.test(value) ? value.toLowerCase() : null
}
