import {
  bigint,
  boolean,
  bytes,
  date,
  decimal,
  enumeration,
  exactTimestamp,
  float,
  integer,
  json,
  key,
  safeInteger,
  text,
  time,
  timestamp,
  uuid,
} from '../../src/orm/entity/column.ts'
import { entity } from '../../src/orm/entity/entity.ts'
import type { AnyEntity } from '../../src/orm/entity/entity.ts'
import type { Condition } from '../../src/database/sql/plan/condition.ts'
import { dialects } from './dialects.ts'
import type { Dialect, Dialects } from '../../src/database/sql/dialects/dialect.ts'
import type { Matches, Nulls, Operators, Orders } from '../../src/database/sql/plan/operators.ts'
import type { Query } from '../../src/database/sql/plan/statement.ts'
import type { Ordering, SelectPlan } from '../../src/database/sql/plan/select-plan.ts'

/** A table with few columns, for statements that people read. */
export const Posts: AnyEntity = entity('posts', {
  id: key.integer(),
  title: text(),
  views: integer(),
  isOpen: boolean(),
  createdAt: timestamp(),
  note: text().nullable(),
})

/** A table with a column of every type. */
export const Kinds: AnyEntity = entity('kinds', {
  id: key.integer(),
  whole: integer().nullable(),
  safe: safeInteger().nullable(),
  big: bigint().nullable(),
  price: decimal({ precision: 15, scale: 2 }).nullable(),
  ratio: float().nullable(),
  flag: boolean().nullable(),
  name: text().nullable(),
  code: uuid().nullable(),
  state: enumeration(['draft', 'live']).nullable(),
  day: date().nullable(),
  opens: time().nullable(),
  moment: timestamp().nullable(),
  exact: exactTimestamp().nullable(),
  document: json().nullable(),
  content: bytes().nullable(),
})

/** A plan that selects everything from an entity, with overrides. */
export function planOf(from: AnyEntity, parts: Partial<SelectPlan> = {}): SelectPlan {
  return {
    table: from.table,
    columns: from.columns,
    conditions: [],
    orderings: [],
    seek: null,
    limit: null,
    offset: 0,
    lock: null,
    ...parts,
  }
}

/** A comparison with a column of `Posts`, or of another entity. */
export function compare(
  property: string,
  operator: Operators,
  value?: unknown,
  from: AnyEntity = Posts,
): Condition {
  return { type: 'comparison', column: from.column(property), operator, value }
}

/** A match on a column of `Posts`, or of another entity. */
export function match(
  property: string,
  match: Matches,
  pattern: string,
  from: AnyEntity = Posts,
): Condition {
  return { type: 'matching', column: from.column(property), match, text: pattern }
}

/** An ordering by a column of `Posts`, or of another entity. */
export function by(
  property: string,
  order: Orders,
  nulls: Nulls | null = null,
  from: AnyEntity = Posts,
): Ordering {
  return { column: from.column(property), order, nulls }
}

/** A statement in every dialect. */
export function inEveryDialect(compile: (dialect: Dialect) => Query): Record<Dialects, Query> {
  return {
    sqlite: compile(dialects.sqlite),
    postgres: compile(dialects.postgres),
    mariadb: compile(dialects.mariadb),
  }
}

/** The text of a statement in every dialect, from `marker` on if given. */
export function textsOf(
  compile: (dialect: Dialect) => Query,
  marker = '',
): Record<Dialects, string> {
  const queries = inEveryDialect(compile)
  const behind = ({ sql }: Query): string => sql.slice(sql.indexOf(marker) + marker.length)
  return {
    sqlite: behind(queries.sqlite),
    postgres: behind(queries.postgres),
    mariadb: behind(queries.mariadb),
  }
}
