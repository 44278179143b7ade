import type { Dialect, Dialects } from '../../../../src/database/sql/dialects/dialect.ts'
import { Matches, Operators } from '../../../../src/database/sql/plan/operators.ts'
import type { Condition } from './conditions.ts'
import { kinds } from './kinds.ts'
import type { OrderSpec } from './reads.ts'
import { columnOf, snake } from './world.ts'
import type { ColumnSpec, RelationSpec, Row, TableSpec } from './world.ts'

/** SQL as one would type it, with literals: it shares nothing with the compiler of the ORM. */
export class PlainSql {
  readonly #dialect: Dialects
  readonly quote: (name: string) => string

  constructor({ name, quote }: Dialect) {
    this.#dialect = name
    this.quote = quote
  }

  /** `a = 1 AND …`, and something true without conditions. */
  all(conditions: readonly Condition[], alias: string): string {
    return ['1 = 1', ...conditions.map((condition) => this.#one(condition, alias))].join(' AND ')
  }

  /** That a row of a table is not deleted. */
  isVisible({ softDelete }: TableSpec, alias: string): string {
    return softDelete === null ? '1 = 1' : `${alias}.${this.quote(snake(softDelete))} IS NULL`
  }

  /** A value of a column. */
  literal(column: ColumnSpec, value: unknown): string {
    return kinds[column.kind].literal(value, this.#dialect)
  }

  /** That a row of the target is related to this one. */
  isRelated({ kind, target, property, bridge }: RelationSpec, row: Row, alias: string): string {
    if (bridge !== null) {
      const [from, to] = [this.quote(bridge.source), this.quote(bridge.target)]
      const key = kinds[bridge.keyKind].literal(row['id'], this.#dialect)
      return `${alias}.id IN (SELECT ${to} FROM ${this.quote(bridge.through)} WHERE ${from} = ${key})`
    }
    const column = columnOf(target, kind === 'belongs-to' ? 'id' : property)
    const value = kind === 'belongs-to' ? row[property] : row['id']
    return value === null ? '1 = 0' : `${this.name(column, alias)} = ${this.literal(column, value)}`
  }

  /** The columns of an order, with NULL where it belongs. */
  order(orders: readonly OrderSpec[], alias: string): string {
    return orders
      .map(({ column, order, nulls }) => {
        const name = this.name(column, alias)
        const isNull =
          nulls === null ? '' : `${name} IS NULL ${nulls === 'first' ? 'DESC' : 'ASC'}, `
        return `${isNull}${name} ${order}`
      })
      .join(', ')
  }

  /** ` LIMIT …`, or '' for all rows. */
  limit(limit: number | null, offset: number): string {
    if (limit === null && offset === 0) return ''
    return ` LIMIT ${limit ?? 1_000_000} OFFSET ${offset}`
  }

  #one(condition: Condition, alias: string): string {
    if (condition.type === 'either') {
      const branches = condition.branches.map((branch) => `(${this.all(branch, alias)})`)
      return `(${['1 = 0', ...branches].join(' OR ')})`
    }
    if (condition.type === 'has') return this.#has(condition, alias)
    const name = this.name(condition.column, alias)
    if (condition.type === 'match') return this.#match(name, condition.match, condition.text)
    return this.#comparison(name, condition)
  }

  // By counting, not by EXISTS.
  #has(
    { relation, isNone, conditions }: Extract<Condition, { type: 'has' }>,
    alias: string,
  ): string {
    const { kind, property, bridge, target } = relation
    const inner = `${alias}x`
    const up = bridge === null ? this.quote(snake(property)) : ''
    const link =
      bridge !== null
        ? `${inner}.id IN (SELECT ${this.quote(bridge.target)} FROM ${this.quote(bridge.through)}` +
          ` WHERE ${this.quote(bridge.source)} = ${alias}.id)`
        : kind === 'belongs-to'
          ? `${inner}.id = ${alias}.${up}`
          : `${inner}.${up} = ${alias}.id`
    const from = `FROM ${this.quote(target.name)} ${inner}`
    const count = `(SELECT COUNT(*) ${from} WHERE ${link} AND ${this.isVisible(target, inner)} AND ${this.all(conditions, inner)})`
    return `${count} ${isNone ? '= 0' : '> 0'}`
  }

  #comparison(
    name: string,
    { column, operator, value }: Extract<Condition, { type: 'comparison' }>,
  ): string {
    const literals = (Array.isArray(value) ? value : [value]).map((one) =>
      one === undefined ? '' : this.literal(column, one),
    )
    return comparisons[operator](name, literals)
  }

  // Without LIKE where the text is not a pattern.
  #match(name: string, match: Matches, text: string): string {
    const { literal } = kinds.text
    const low = `LOWER(${name})`
    const wanted = literal(text.toLowerCase(), this.#dialect)
    const position =
      this.#dialect === 'postgres' ? `STRPOS(${low}, ${wanted})` : `INSTR(${low}, ${wanted})`
    // Characters as databases count them.
    const { length } = Array.from(text)
    const ends: Readonly<Record<Matches, string>> = {
      [Matches.Contains]: text === '' ? `${name} IS NOT NULL` : `${position} > 0`,
      [Matches.StartsWith]: `SUBSTR(${low}, 1, ${length}) = ${wanted}`,
      [Matches.EndsWith]:
        length === 0 ? `${name} IS NOT NULL` : `${this.#end(low, length)} = ${wanted}`,
      [Matches.Like]: `${low} LIKE ${wanted}${this.#dialect === 'sqlite' ? ` ESCAPE '\\'` : ''}`,
    }
    return ends[match]
  }

  #end(text: string, length: number): string {
    return this.#dialect === 'sqlite' ? `SUBSTR(${text}, -${length})` : `RIGHT(${text}, ${length})`
  }

  /** A column, as one compares and orders it. */
  name({ name, kind }: ColumnSpec, alias: string): string {
    const column = `${alias}.${this.quote(name)}`
    // An ENUM sorts by the places of its members unless it is made a text.
    const isEnum = kind === 'enumeration' && this.#dialect === 'mariadb'
    return isEnum ? `CAST(${column} AS CHAR) COLLATE utf8mb4_nopad_bin` : column
  }
}

type Comparison = (name: string, literals: readonly string[]) => string

const comparisons: Readonly<Record<Operators, Comparison>> = {
  [Operators.Equal]: (name, [one]) => `${name} = ${one}`,
  [Operators.Unequal]: (name, [one]) => `NOT (${name} = ${one})`,
  [Operators.Greater]: (name, [one]) => `${name} > ${one}`,
  [Operators.GreaterOrEqual]: (name, [one]) => `NOT (${name} < ${one})`,
  [Operators.Less]: (name, [one]) => `${name} < ${one}`,
  [Operators.LessOrEqual]: (name, [one]) => `NOT (${name} > ${one})`,
  [Operators.Between]: (name, [low, high]) => `(${name} >= ${low} AND ${name} <= ${high})`,
  [Operators.In]: (name, all) =>
    `(${['1 = 0', ...all.map((one) => `${name} = ${one}`)].join(' OR ')})`,
  [Operators.IsNull]: (name) => `${name} IS NULL`,
  [Operators.IsNotNull]: (name) => `NOT (${name} IS NULL)`,
  [Operators.IsTrue]: (name) => `${name} IS TRUE`,
  [Operators.IsFalse]: (name) => `${name} IS FALSE`,
}
