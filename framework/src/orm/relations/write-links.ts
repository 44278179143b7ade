import type { Surface } from '../../database/surface.ts'
import { FrameworkError, invalidArgument } from '../../base/errors.ts'
import { Steps } from '../../activity/steps.ts'
import { DatabaseError } from '../../database/database-error.ts'
import { unlessNested, retryOnDeadlock } from '../../database/transaction-options.ts'
import type { ColumnReference } from '../../database/sql/plan/column-reference.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import { bindable } from '../../database/sql/values/bindable.ts'
import { reader } from '../../database/sql/values/column-readers.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { KeyOf, ShapeOf } from '../entity/row.ts'
import { rawRows } from '../rows/hydrate-rows.ts'
import type { Relation } from './relation.ts'
import { BridgeTable } from './bridge-table.ts'

/** The many-to-many relations of an entity. */
export type ManyToManyOf<E extends AnyEntity> = {
  [Name in keyof ShapeOf<E>]: ShapeOf<E>[Name] extends Relation<unknown, 'many-to-many'>
    ? Name
    : never
}[keyof ShapeOf<E>] &
  string

/** The type of the keys that a relation of an entity refers to. */
export type LinkedKeyOf<E extends AnyEntity, Name extends string> = Name extends keyof ShapeOf<E>
  ? ShapeOf<E>[Name] extends Relation<infer Target>
    ? KeyOf<Target>
    : never
  : never

/** Keys of the target that a call linked and unlinked; those that were so already are in neither. */
export interface BridgeChanges<Key> {
  /** In the order of the call. */
  readonly attached: readonly Key[]
  /** In the order of the keys. */
  readonly detached: readonly Key[]
}

type LinkCall = 'attach' | 'detach' | 'sync'

/**
 * Changes the links of one row over a many-to-many relation, all or none: adds those of a list, removes
 * those of a list or all, or leaves exactly those of a list. The row is locked, so concurrent calls for
 * it take turns; where the other side of the relation was faster, the table's unique key says so and the
 * work is repeated.
 * @throws InvalidArgumentException for an invalid key, and a relation that is not many-to-many.
 * @throws FrameworkError E_RELATION when the row, or one to be linked, does not exist.
 */
export async function changeLinks<Key>(
  surface: Surface,
  entity: AnyEntity,
  call: LinkCall,
  key: unknown,
  name: string,
  list: readonly Key[] | undefined,
): Promise<BridgeChanges<Key>>
export async function changeLinks(
  surface: Surface,
  entity: AnyEntity,
  call: LinkCall,
  key: unknown,
  name: string,
  list: unknown,
): Promise<BridgeChanges<unknown>> {
  const isAll = call === 'detach' && list === undefined
  const keys = isAll ? null : linkedKeys(surface, entity, name, list)
  const bridge = new BridgeTable(entity, name, surface.dialect)
  bindable(entity.key, key, surface.dialect)
  const work = async (transaction: Surface): Promise<BridgeChanges<unknown>> => {
    const linkable = call === 'detach' || keys === null ? [] : keys
    const existing = await lockRows(transaction, bridge, key, linkable)
    const current = await keysOf(transaction, bridge.linkedColumn, [bridge.linked(key)])
    const changes = wantedLinks(call, current, keys)
    const absent = changes.attached.filter((other) => !existing.has(other))
    if (absent.length > 0) throw missing(bridge.target, absent)
    await send(transaction, bridge.unlink(key, changes.detached))
    await send(transaction, bridge.link(key, changes.attached))
    return changes
  }
  // Other isolation levels would read the links as they were before the row was locked.
  const options = unlessNested(surface, { isolation: 'read-committed' })
  const attempt = (): Promise<BridgeChanges<unknown>> => surface.transaction(work, options)
  return retryOnDeadlock(surface, () => retryOnDuplicate(attempt))
}

function wantedLinks(
  call: LinkCall,
  current: ReadonlySet<unknown>,
  keys: readonly unknown[] | null,
): BridgeChanges<unknown> {
  const listed = new Set(keys ?? current)
  return {
    attached: call === 'detach' ? [] : [...listed].filter((key) => !current.has(key)),
    detached:
      call === 'attach'
        ? []
        : [...current].filter((key) => listed.has(key) === (call === 'detach')),
  }
}

/**
 * The keys of a list, each once.
 * @throws InvalidArgumentException for a value that is no list, or no key of the target.
 */
function linkedKeys(
  surface: Surface,
  entity: AnyEntity,
  name: string,
  keys: unknown,
): readonly unknown[] {
  const target = entity.target(name)
  if (!Array.isArray(keys)) {
    throw invalidArgument(
      `${entity.table}.${name}: expected a list of keys of ${target.table}, got ${keys === null ? 'null' : typeof keys}`,
    )
  }
  const given = new Set<unknown>(keys)
  for (const key of given) bindable(target.key, key, surface.dialect)
  return [...given]
}

const maxAttempts = 5

async function retryOnDuplicate<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isDuplicate = error instanceof DatabaseError && error.code === 'E_DUPLICATE_KEY'
      if (!isDuplicate || attempt === maxAttempts) throw error
    }
  }
}

/**
 * Locks the row and those to be linked, of which it returns the existing keys. Inserting a link locks
 * both of its rows anyway, by the foreign keys; here they are locked in the same order from either
 * side, so that two calls cannot wait for each other.
 */
async function lockRows(
  surface: Surface,
  bridge: BridgeTable,
  key: unknown,
  keys: readonly unknown[],
): Promise<ReadonlySet<unknown>> {
  const { entity, target } = bridge
  const lockSource = async (): Promise<void> => {
    const found = await keysOf(surface, entity.key, bridge.existing(entity, [key], 'no-key-update'))
    if (found.size === 0) throw missing(entity, [key])
  }
  const lockTargets = (): Promise<ReadonlySet<unknown>> =>
    keysOf(surface, target.key, bridge.existing(target, keys, 'key-share'))
  if (target.table < entity.table) {
    const existing = await lockTargets()
    await lockSource()
    return existing
  }
  if (target.table === entity.table) {
    const all = bridge.existing(entity, [key, ...keys], 'no-key-update')
    await keysOf(surface, entity.key, all)
  }
  await lockSource()
  return lockTargets()
}

async function keysOf(
  surface: Surface,
  column: ColumnReference,
  queries: Iterable<Query>,
): Promise<ReadonlySet<unknown>> {
  const read = reader(column, surface.dialect)
  const keys = new Set<unknown>()
  for (const query of queries) {
    const result = await Steps.Instance.continuing(() => surface.run(query))
    for (const [raw] of rawRows(result)) keys.add(read(raw))
  }
  return keys
}

async function send(surface: Surface, queries: Iterable<Query>): Promise<void> {
  for (const query of queries) await surface.run(query)
}

function missing({ table }: AnyEntity, keys: readonly unknown[]): FrameworkError {
  const shown = keys.slice(0, 5).map(String).join(', ')
  const more = keys.length > 5 ? ` and ${keys.length - 5} more` : ''
  return new FrameworkError(
    'E_RELATION',
    `${table} ${shown}${more} does not exist, so nothing was attached or detached`,
  )
}
