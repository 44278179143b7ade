import { createSecretKey, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { ApplicationKey } from '../../src/settings/application-key.ts'

/** A new application key. */
export function someKey(...previous: readonly KeyObject[]): ApplicationKey {
  return new ApplicationKey(someSecret(), previous)
}

export function someSecret(): KeyObject {
  return createSecretKey(randomBytes(32))
}
