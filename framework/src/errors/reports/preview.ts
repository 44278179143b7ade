import { inspect } from 'node:util'
import { redact } from '../../base/redact.ts'
import { REDACTED } from '../../base/mask-text.ts'
import { isSecretKey } from '../../base/is-secret-key.ts'

/** A preview is cut after this many characters. */
export const maxPreviewLength = 80

const maxProperties = 30
const shownElsewhere = new Set(['name', 'message', 'stack', 'errors'])

/** A property of an error with a short preview of its value. */
export interface Property {
  readonly name: string
  readonly preview: string
}

/** A value in one short line, secrets redacted. */
export function previewOf(value: unknown): string {
  const text = inspect(redact(value), {
    depth: 2,
    breakLength: Infinity,
    compact: true,
    maxArrayLength: 10,
    maxStringLength: maxPreviewLength,
  })
  return text.length > maxPreviewLength ? `${text.slice(0, maxPreviewLength - 1)}…` : text
}

/** The properties of an error other than name, message, stack and the errors it wraps. */
export function propertiesOf(error: Error): readonly Property[] {
  const properties: Property[] = []
  for (const name of namesOf(error)) {
    if (properties.length >= maxProperties) break
    if (shownElsewhere.has(name)) continue
    // The `code` of an error says what went wrong; under that name it is no secret.
    const preview = name !== 'code' && isSecretKey(name) ? REDACTED : previewOfProperty(error, name)
    if (preview !== null) properties.push({ name: previewOf(name).slice(1, -1), preview })
  }
  return properties
}

function namesOf(error: Error): readonly string[] {
  try {
    return Object.getOwnPropertyNames(error)
  } catch {
    // A proxy may throw even here.
    return []
  }
}

function previewOfProperty(error: Error, name: string): string | null {
  try {
    const value: unknown = Reflect.get(error, name)
    return value instanceof Error && name === 'cause' ? null : previewOf(value)
  } catch {
    return '[unreadable]'
  }
}
