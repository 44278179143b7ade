import { Steps } from '../../activity/steps.ts'
import { FrameworkError, invalidArgument, InvalidArgumentException } from '../../base/errors.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { ColumnReference } from '../../database/sql/plan/column-reference.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { Operators, Orders } from '../../database/sql/plan/operators.ts'
import type { RowLock } from '../../database/sql/plan/select-plan.ts'
import { bindable } from '../../database/sql/values/bindable.ts'
import { reader } from '../../database/sql/values/column-readers.ts'
import { compileDelete } from '../../database/sql/write/compile-delete.ts'
import { compileInsert } from '../../database/sql/write/compile-insert.ts'
import { compileSelect } from '../../database/sql/write/compile-select.ts'
import type { Surface } from '../../database/surface.ts'
import { unlessNested, retryOnDeadlock } from '../../database/transaction-options.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { KeyOf, ShapeOf } from '../entity/row.ts'
import { plainPlan } from '../reading.ts'
import { rawRows } from '../rows/hydrate-rows.ts'
import type { Relation } from './relation.ts'

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
  const { dialect } = surface
  const { bridge, kind } = entity.relation(name)
  if (bridge === null) throw noBridge(entity, name, kind)
  const target = entity.target(name)
  const source = { ...entity.key, name: bridge.source }
  const linked = { ...target.key, name: bridge.target }
  const table = bridge.through
  const isSource = compared(source, key, Operators.Equal)
  bindable(entity.key, key, dialect)
  const work = async (transaction: Surface): Promise<BridgeChanges<unknown>> => {
    const linkable = call === 'detach' || keys === null ? [] : keys
    const existing = await lockRows(transaction, { entity, key }, { target, keys: linkable })
    const current = await lockKeys(transaction, table, linked, [isSource], 'update')
    const changes = wantedLinks(call, current, keys)
    const absent = changes.attached.filter((other) => !existing.has(other))
    if (absent.length > 0) throw missing(target, absent)
    for (const some of chunks(changes.detached)) {
      const conditions = [isSource, compared(linked, some, Operators.In)]
      await transaction.run(compileDelete({ table, conditions, returning: [] }, dialect))
    }
    // In their order, since a unique key locks row by row.
    for (const some of chunks(changes.attached.toSorted(compareKeys))) {
      const rows = some.map((other) => [key, other])
      const plan = { table, columns: [source, linked], rows, conflict: null, returning: [] }
      await transaction.run(compileInsert(plan, dialect))
    }
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
  { entity, key }: { readonly entity: AnyEntity; readonly key: unknown },
  { target, keys }: { readonly target: AnyEntity; readonly keys: readonly unknown[] },
): Promise<ReadonlySet<unknown>> {
  const lockSource = async (): Promise<void> => {
    const found = await existingKeys(surface, entity, [key], 'no-key-update')
    if (found.size === 0) throw missing(entity, [key])
  }
  if (target.table < entity.table) {
    const existing = await existingKeys(surface, target, keys, 'key-share')
    await lockSource()
    return existing
  }
  if (target.table === entity.table) {
    await existingKeys(surface, entity, [key, ...keys], 'no-key-update')
  }
  await lockSource()
  return existingKeys(surface, target, keys, 'key-share')
}

/** Those of some keys that exist, locked in their order. */
async function existingKeys(
  surface: Surface,
  { table, key, undeleted }: AnyEntity,
  keys: readonly unknown[],
  lock: RowLock,
): Promise<ReadonlySet<unknown>> {
  const existing = new Set<unknown>()
  for (const some of chunks(keys.toSorted(compareKeys))) {
    const conditions = [compared(key, some, Operators.In), ...undeleted]
    const found = await lockKeys(surface, table, key, conditions, lock)
    for (const own of found) existing.add(own)
  }
  return existing
}

/** The values of a column in the rows that match, in order, and locked. */
async function lockKeys(
  surface: Surface,
  table: string,
  column: ColumnReference,
  conditions: readonly Condition[],
  lock: RowLock,
): Promise<ReadonlySet<unknown>> {
  const plan = plainPlan({ table, columns: [column], undeleted: [] }, conditions)
  const orderings = [{ column, order: Orders.Asc, nulls: null }]
  const query = compileSelect({ ...plan, orderings, lock }, surface.dialect)
  const result = await Steps.Instance.continuing(() => surface.run(query))
  const read = reader(column, surface.dialect)
  return new Set(rawRows(result).map(([raw]) => read(raw)))
}

function compared(column: ColumnReference, value: unknown, operator: Operators): Condition {
  return { type: 'comparison', column, operator, value }
}

// Larger statements are hardly faster, and eventually too long for a server.
const maxRows = 1_000

function* chunks(keys: readonly unknown[]): Generator<readonly unknown[], void, undefined> {
  for (let at = 0; at < keys.length; at += maxRows) yield keys.slice(at, at + maxRows)
}

// Any order will do that is the same for everybody.
function compareKeys(one: unknown, other: unknown): number {
  if (isOrdered(one) && isOrdered(other)) return one < other ? -1 : one > other ? 1 : 0
  return 0
}

function isOrdered(key: unknown): key is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof key)
}

function noBridge({ table }: AnyEntity, name: string, kind: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_RELATION',
    `${table}.${name} is ${kind}; attach, detach and sync write the join table of a many-to-many relation`,
  )
}

function missing({ table }: AnyEntity, keys: readonly unknown[]): FrameworkError {
  const shown = keys.slice(0, 5).map(String).join(', ')
  const more = keys.length > 5 ? ` and ${keys.length - 5} more` : ''
  return new FrameworkError(
    'E_RELATION',
    `${table} ${shown}${more} does not exist, so nothing was attached or detached`,
  )
}
