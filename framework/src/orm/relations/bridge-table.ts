import { InvalidArgumentException } from '../../base/errors.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { ColumnReference } from '../../database/sql/plan/column-reference.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { Operators, Orders } from '../../database/sql/plan/operators.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import type { RowLock } from '../../database/sql/plan/select-plan.ts'
import { compileDelete } from '../../database/sql/write/compile-delete.ts'
import { compileInsert } from '../../database/sql/write/compile-insert.ts'
import { compileSelect } from '../../database/sql/write/compile-select.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { plainPlan } from '../reading.ts'

// Larger statements are hardly faster, and eventually too long for a server.
const maxRows = 1_000

/** The statements on the join table of a many-to-many relation. Keys must be checked before. */
export class BridgeTable {
  readonly entity: AnyEntity
  readonly target: AnyEntity
  readonly #table: string
  readonly #source: ColumnReference
  readonly #linked: ColumnReference
  readonly #dialect: Dialect

  /** @throws InvalidArgumentException when the relation is not many-to-many. */
  constructor(entity: AnyEntity, name: string, dialect: Dialect) {
    const { bridge, kind } = entity.relation(name)
    if (bridge === null) throw noBridge(entity, name, kind)
    this.entity = entity
    this.target = entity.target(name)
    this.#table = bridge.through
    this.#source = { ...entity.key, name: bridge.source }
    this.#linked = { ...this.target.key, name: bridge.target }
    this.#dialect = dialect
  }

  /** The keys of the target that are linked to a key, in order, and locked. */
  linked(key: unknown): Query {
    const conditions = [compared(this.#source, key)]
    return this.#locked(this.#table, this.#linked, conditions, 'update')
  }

  /** The column of the keys that `linked` reads. */
  get linkedColumn(): ColumnReference {
    return this.#linked
  }

  /** Those of some keys that exist on one side of the relation, locked in their order. */
  *existing(
    { table, key, undeleted }: AnyEntity,
    keys: readonly unknown[],
    lock: RowLock,
  ): Generator<Query, void, undefined> {
    for (const some of chunks(keys.toSorted(compareKeys))) {
      const conditions = [compared(key, some, Operators.In), ...undeleted]
      yield this.#locked(table, key, conditions, lock)
    }
  }

  /** Links keys of the target to a key; in their order, since a unique key locks row by row. */
  *link(key: unknown, keys: readonly unknown[]): Generator<Query, void, undefined> {
    for (const some of chunks(keys.toSorted(compareKeys))) {
      yield compileInsert(
        {
          table: this.#table,
          columns: [this.#source, this.#linked],
          rows: some.map((other) => [key, other]),
          conflict: null,
          returning: [],
        },
        this.#dialect,
      )
    }
  }

  /** Unlinks keys of the target from a key. */
  *unlink(key: unknown, keys: readonly unknown[]): Generator<Query, void, undefined> {
    for (const some of chunks(keys)) {
      const conditions = [compared(this.#source, key), compared(this.#linked, some, Operators.In)]
      yield compileDelete({ table: this.#table, conditions, returning: [] }, this.#dialect)
    }
  }

  #locked(
    table: string,
    column: ColumnReference,
    undeleted: readonly Condition[],
    lock: RowLock,
  ): Query {
    const orderings = [{ column, order: Orders.Asc, nulls: null }]
    const plan = plainPlan({ table, columns: [column], undeleted })
    return compileSelect({ ...plan, orderings, lock }, this.#dialect)
  }
}

function compared(
  column: ColumnReference,
  value: unknown,
  operator: Operators = Operators.Equal,
): Condition {
  return { type: 'comparison', column, operator, value }
}

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
