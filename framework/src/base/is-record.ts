/** Whether a value is an object whose properties can be read; a list is one too. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Whether a value is an object other than a list. */
export function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !Array.isArray(value)
}

/** Whether a value is a message of one of these types, as processes of the framework send to each other. */
export function isMessage<Message extends { readonly type: string }>(
  value: unknown,
  ...types: readonly Message['type'][]
): value is Message {
  return isRecord(value) && types.some((type) => type === value['type'])
}

/** The object that a JSON text holds; null for another value, and for a text that is no JSON. */
export function parsedRecord(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
