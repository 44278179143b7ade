import { REDACTED, maskText } from './mask-text.ts'
import { isSecret, isSecretKey } from './is-secret-key.ts'

export { isSecretKey }

const maxDepth = 8
const maxValues = 2_000
const maxCharacters = 262_144
const maxEntries = 100

/**
 * A copy that is safe to log or show: values under secret keys and user info in URLs are redacted,
 * depth and size are bounded, and everything in it can be written as JSON. Never throws and never
 * changes its argument.
 */
export function redact(value: unknown): unknown {
  return new Copy().value(value, 0)
}

/** The same for the fields of an object. */
export function redactFields(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const copy = redact(fields)
  return typeof copy === 'object' && copy !== null ? { ...copy } : {}
}

/** One walk over a value, with its remaining budgets and the objects it is currently inside. */
class Copy {
  #values = maxValues
  #characters = maxCharacters
  readonly #inside = new Set<object>()

  value(value: unknown, depth: number): unknown {
    if (--this.#values < 0) return '[too large]'
    switch (typeof value) {
      case 'string':
        return this.#text(value)
      case 'number':
        return Number.isFinite(value) ? value : String(value)
      case 'bigint':
      case 'symbol':
        return this.#text(value.toString())
      case 'function':
        return '[function]'
      case 'object':
        return value === null ? null : this.#object(value, depth)
      case 'boolean':
      case 'undefined':
        return value
      default:
        return '[unreadable]'
    }
  }

  #text(text: string): string {
    if (this.#characters <= 0) return '[too large]'
    const masked = maskText(text)
    this.#characters -= masked.length
    return masked
  }

  #object(value: object, depth: number): unknown {
    if (this.#inside.has(value)) return '[circular]'
    if (depth >= maxDepth) return '[too deep]'
    this.#inside.add(value)
    try {
      return this.#contents(value, depth)
    } catch {
      return '[unreadable]'
    } finally {
      this.#inside.delete(value)
    }
  }

  #contents(value: object, depth: number): unknown {
    if (Array.isArray(value)) {
      const items = listsPairs(value) ? maskedPairs(value) : value
      return this.#list(items.values(), value.length, depth)
    }
    if (value instanceof Error) return this.#error(value, depth)
    if (value instanceof Date) return isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (value instanceof Map) return this.#map(value, depth)
    if (value instanceof Set) return this.#list(value.values(), value.size, depth)
    if (value instanceof URL) return this.#text(value.href)
    if (value instanceof RegExp) return this.#text(String(value))
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      return `[${Buffer.isBuffer(value) ? 'Buffer' : 'binary'} of ${value.byteLength} bytes]`
    }
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return this.value(value.toJSON(), depth + 1)
    }
    if (isFieldList(value)) return this.#map(new Map(value.entries().take(maxValues)), depth)
    const keys = Object.keys(value)
    return this.#fields(keys.values(), keys.length, (key) => Reflect.get(value, key), depth)
  }

  #error(error: Error, depth: number): unknown {
    const fields: Record<string, unknown> = {
      class: this.#text(error.constructor.name || error.name),
      message: this.#text(error.message),
    }
    if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) {
      fields['code'] = this.value(error.code, depth + 1)
    }
    if (error.cause !== undefined) fields['cause'] = this.value(error.cause, depth + 1)
    return fields
  }

  #map(map: Map<unknown, unknown>, depth: number): unknown {
    const named = new Map<string, unknown>()
    for (const [key, value] of map.entries().take(maxEntries)) named.set(nameOf(key), value)
    return this.#fields(named.keys(), map.size, (key) => named.get(key), depth)
  }

  #list(items: IteratorObject<unknown>, total: number, depth: number): unknown[] {
    const copy = items
      .take(maxEntries)
      .map((item) => this.value(item, depth + 1))
      .toArray()
    if (total > maxEntries) copy.push(`[${total - maxEntries} more]`)
    return copy
  }

  #fields(
    keys: IteratorObject<string>,
    total: number,
    read: (key: string) => unknown,
    depth: number,
  ): unknown {
    const fields: Array<[string, unknown]> = []
    for (const key of keys.take(maxEntries)) {
      fields.push([this.#text(key), this.#field(key, read, depth)])
    }
    if (total > maxEntries) fields.push(['…', `[${total - maxEntries} more]`])
    // Defines properties instead of assigning them: a key `__proto__` stays an ordinary key.
    return Object.fromEntries(fields)
  }

  #field(key: string, read: (key: string) => unknown, depth: number): unknown {
    if (isSecretKey(key) && key !== 'code') return REDACTED
    try {
      const value = read(key)
      return isSecret(key, value) ? REDACTED : this.value(value, depth + 1)
    } catch {
      return '[unreadable]'
    }
  }
}

/** Whether a list is a pair (`['password', x]`), or alternates names and values like raw headers. */
function listsPairs(list: readonly unknown[]): boolean {
  if (list.length === 2) return typeof list[0] === 'string'
  return list.length % 2 === 0 && list.every((item, at) => at % 2 === 1 || isName(item))
}

function isName(item: unknown): boolean {
  return typeof item === 'string' && /^\S{1,128}$/.test(item)
}

function maskedPairs(list: readonly unknown[]): readonly unknown[] {
  return list.map((item, at) => {
    const name = at % 2 === 1 ? list[at - 1] : null
    return typeof name === 'string' && isSecret(name, item) ? REDACTED : item
  })
}

/** Whether this is `Headers`, `FormData` or `URLSearchParams`; by name, since Node loads them lazily. */
function isFieldList(
  value: object,
): value is { entries(): IteratorObject<readonly [string, unknown]> } {
  const tag = Object.prototype.toString.call(value)
  return /^\[object (?:Headers|FormData|URLSearchParams)\]$/.test(tag)
}

function nameOf(key: unknown): string {
  if (typeof key === 'string') return key
  return typeof key === 'object' && key !== null ? '[object]' : String(key)
}
