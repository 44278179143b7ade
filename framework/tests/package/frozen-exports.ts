import { types } from 'node:util'

/** Exported objects that are mutable on purpose, with the mutable part. */
const changing: Readonly<Record<string, string>> = {
  Catcher: 'Environment stands in for that of the next answer',
  Shutdown: 'its folder is set when a server listens',
  Throwables: 'reporters come and go',
}

/**
 * The plain objects and lists exported by a module that are not deeply frozen.
 * Any part of a program could change them for all others.
 */
export function checkFrozen(module: string, exported: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(exported).flatMap(([name, value]) =>
    Object.hasOwn(changing, name) ? [] : thawed(`${module}: ${name}`, value),
  )
}

function thawed(name: string, value: unknown): string[] {
  if (!isPlain(value)) return []
  const inside = Object.entries(value).flatMap(([key, part]) => thawed(`${name}.${key}`, part))
  return isFixed(value) ? inside : [`${name} is not frozen`, ...inside]
}

function isFixed(value: object): boolean {
  // A namespace object cannot be written to, although its properties claim otherwise.
  return types.isModuleNamespaceObject(value) || Object.isFrozen(value)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
