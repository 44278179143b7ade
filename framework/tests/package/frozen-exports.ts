import { types } from 'node:util'

/** Objects of the public modules that are there to be changed, with what is. */
const changing: Readonly<Record<string, string>> = {
  Catcher: 'Environment stands in for that of the next answer',
  Shutdown: 'its folder is set when a server listens',
  Throwables: 'reporters come and go',
}

/**
 * Objections to the plain objects and lists that a module exports: each is frozen, and so is what it
 * holds. Any part of a program could otherwise change an enumeration for all others.
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
  // What `export * as` makes cannot be written to, though its properties say otherwise.
  return types.isModuleNamespaceObject(value) || Object.isFrozen(value)
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
