import type { Surface } from '../../database/surface.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { BridgeChanges } from './sync-bridge.ts'
import { changeLinks, linkedKeys } from './sync-bridge.ts'

/** Links rows and returns the keys that were not linked before. */
export async function attachKeys<Key>(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  name: string,
  list: readonly Key[],
): Promise<readonly Key[]>
export async function attachKeys(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  name: string,
  list: unknown,
): Promise<readonly unknown[]> {
  const keys = linkedKeys(surface, entity, name, list)
  const { attached } = await changeLinks(surface, entity, key, name, keys, (current) => ({
    attached: keys.filter((other) => !current.has(other)),
    detached: [],
  }))
  return attached
}

/** Unlinks some rows, or all of them, and returns the keys that were linked before. */
export async function detachKeys<Key>(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  name: string,
  list?: readonly Key[],
): Promise<readonly Key[]>
export async function detachKeys(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  name: string,
  list: unknown,
): Promise<readonly unknown[]> {
  const keys = list === undefined ? null : new Set(linkedKeys(surface, entity, name, list))
  const { detached } = await changeLinks(surface, entity, key, name, [], (current) => ({
    attached: [],
    detached: [...current].filter((other) => keys?.has(other) ?? true),
  }))
  return detached
}

/** Links exactly these rows and returns what changed. */
export async function syncKeys<Key>(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  name: string,
  list: readonly Key[],
): Promise<BridgeChanges<Key>>
export async function syncKeys(
  surface: Surface,
  entity: AnyEntity,
  key: unknown,
  name: string,
  list: unknown,
): Promise<BridgeChanges<unknown>> {
  const keys = linkedKeys(surface, entity, name, list)
  const wanted = new Set(keys)
  return changeLinks(surface, entity, key, name, keys, (current) => ({
    attached: keys.filter((other) => !current.has(other)),
    detached: [...current].filter((other) => !wanted.has(other)),
  }))
}
