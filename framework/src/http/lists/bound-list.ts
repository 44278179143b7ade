import { InvalidArgumentException } from '../../base/errors.ts'
import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type { SchemaResult } from '../../base/schema/standard-schema.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { Nulls, Orders } from '../../database/sql/plan/operators.ts'
import type { Ordering } from '../../database/sql/plan/select-plan.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { RelatedRows, RelationOf, SoundRelation } from '../../orm/entity/row.ts'
import type { Counts, Modes } from '../../orm/pagination/pagination.ts'
import { Selection } from '../../orm/selection.ts'
import type { OrderKind, Scope } from '../../orm/selection.ts'
import type { InputFields } from '../input/read-input.ts'
import { bindFilter } from './bound-filter.ts'
import type { BoundFilter } from './bound-filter.ts'
import { ListQuery, listDefaults, readListRequest } from './list-query.ts'
import type { ListQueryParts, ListSettings } from './list-query.ts'
import { querySchema } from './list-schema.ts'
import type { FiltersOf } from './list-types.ts'
import { QueryReader } from './query-reader.ts'

/** The orders of a list, as declared: columns, or orders by name. */
type DeclaredSorts = readonly string[] | Readonly<Record<string, string | readonly string[]>>

/** A declaration, as far as its types matter here. */
export interface BoundDeclaration<E extends AnyEntity, With extends string> {
  readonly filter?: FiltersOf<E>
  readonly sort?: DeclaredSorts
  readonly defaultSort?: string
  readonly sortParameter?: string
  readonly with?: readonly (With & SoundRelation<E, With>)[]
  readonly where?: Scope<E>
  readonly limit?: number
  readonly maxLimit?: number
  readonly mode?: Modes
  readonly count?: Counts
  readonly cap?: number
  readonly remember?: number
  readonly nulls?: boolean
  readonly ignore?: readonly string[]
}

/** The parameters of the place in a list. */
const placeParameters = ['limit', 'page', 'cursor']

/** Orders by the name that a request chooses them with. */
type Sorts = ReadonlyMap<string, readonly Ordering[]>

/** A declared list, checked against its entity. */
export class BoundList<
  E extends AnyEntity,
  Values,
  Sort extends string,
  With extends RelationOf<E>,
> {
  readonly #entity: E
  readonly #declaration: BoundDeclaration<E, With>
  readonly #filters: ReadonlyMap<string, BoundFilter<E>>
  readonly #sorts: Sorts
  readonly #sortParameter: string
  readonly #defaultSort: string | null
  readonly #known: ReadonlySet<string>
  readonly #settings: ListSettings
  /** The parameters that a query may have: those of the list, and those that something else reads. */
  readonly parameters: ReadonlySet<string>
  /** Describes the query. */
  readonly querySchema: JsonSchema

  /** @throws InvalidArgumentException (E_LIST, E_COLUMN) for a declaration that cannot work. */
  constructor(entity: E, declaration: BoundDeclaration<E, With>) {
    const {
      filter = {},
      sort = [],
      nulls = false,
      ignore = [],
      sortParameter = 'sort',
    } = declaration
    this.#entity = entity
    this.#declaration = declaration
    this.#filters = new Map(
      Object.entries(filter).map(([name, given]) => [name, bindFilter(entity, name, given)]),
    )
    this.#sorts = bindSorts(entity, sort, nulls ? Nulls.Last : null)
    this.#sortParameter = sortParameter
    const [first = null] = this.#sorts.keys()
    this.#defaultSort = declaration.defaultSort ?? first
    this.#check()
    for (const name of declaration.with ?? []) entity.relation(name)
    this.querySchema = querySchema({
      filters: [...this.#filters.values()].map(({ parameters }) => parameters),
      sort: {
        parameter: sortParameter,
        names: [...this.#sorts.keys()],
        default: this.#defaultSort,
      },
      limits: this.#limits,
      mode: declaration.mode ?? null,
      remembers: this.#remembers,
    })
    this.#known = new Set(Object.keys(Object(this.querySchema['properties'])))
    this.parameters = new Set([...this.#known, ...ignore])
    this.#settings = {
      name: entity.table,
      parameters: this.parameters,
      count: declaration.count,
      cap: declaration.cap,
      nulls,
      paged: declaration.mode !== 'cursor',
      remember: declaration.remember ?? 0,
    }
  }

  /** Reads the fields of a query. */
  read(fields: unknown): SchemaResult<ListQuery<E, Values, Sort, RelatedRows<E, With>>> {
    const reader = new QueryReader(fields, this.#known, this.parameters)
    const values: Record<string, unknown> = {}
    for (const [name, filter] of this.#filters) values[name] = filter.read(reader)
    const sort = this.#readSort(reader)
    const place = this.#readPlace(reader)
    const total = this.#remembers ? (reader.text('total') ?? null) : null
    if (reader.issues.length > 0) return { issues: reader.issues }
    const parts = { ...this.#typed(values, sort), fields: this.#shown(fields), total }
    const value = new ListQuery(parts, place, {
      settings: this.#settings,
      select: (dialect) => this.#select(values, sort, dialect),
    })
    return { value }
  }

  // The types come from the declaration that the values were read by.
  #typed(
    filters: object,
    sort: string | null,
  ): Pick<ListQueryParts<Values, Sort>, 'filters' | 'sort'>
  #typed(filters: unknown, sort: unknown): unknown {
    return { filters, sort }
  }

  #readSort(reader: QueryReader): string | null {
    const name = this.#sorts.size === 0 ? undefined : reader.text(this.#sortParameter)
    if (name === undefined) return this.#defaultSort
    if (this.#sorts.has(name)) return name
    reader.note(this.#sortParameter, `must be one of ${[...this.#sorts.keys()].join(', ')}`)
    return null
  }

  #readPlace(reader: QueryReader): ReturnType<typeof readListRequest> {
    const place: Record<string, string> = {}
    for (const name of placeParameters) {
      const text = reader.text(name)
      if (text !== undefined) place[name] = text
      else if (name === 'cursor' && reader.has(name)) place[name] = ''
    }
    return readListRequest(place, this.#limits, this.#declaration.mode)
  }

  #select(
    values: Readonly<Record<string, unknown>>,
    sort: string | null,
    dialect: Dialect,
  ): Selection<E, RelatedRows<E, With>, OrderKind> {
    const selection = new Selection(this.#entity, dialect)
    this.#declaration.where?.(selection)
    for (const [name, filter] of this.#filters) filter.narrow(selection, values[name])
    const orderings = this.#sorts.get(sort ?? '') ?? []
    return selection.extend({ orderings }).with<With>(...(this.#declaration.with ?? []))
  }

  // What was sent, without what is empty and without the place in the list.
  #shown(fields: unknown): InputFields {
    const shown: Record<string, string | readonly string[]> = {}
    for (const [name, value] of Object.entries(Object(fields))) {
      const isShown =
        this.#known.has(name) && name !== 'page' && name !== 'cursor' && name !== 'total'
      if (!isShown || value === '') continue
      if (typeof value === 'string') shown[name] = value
      else if (Array.isArray(value)) shown[`${name}[]`] = value.map(String)
    }
    return shown
  }

  get #limits(): { readonly limit: number; readonly cap: number } {
    const { limit = listDefaults.limit, maxLimit = listDefaults.cap } = this.#declaration
    return { limit, cap: maxLimit }
  }

  get #remembers(): boolean {
    return (this.#declaration.remember ?? 0) > 0
  }

  #check(): void {
    const { limit = 1, maxLimit = 1, remember = 0, defaultSort } = this.#declaration
    for (const [name, rows] of Object.entries({ limit, maxLimit })) {
      if (!Number.isSafeInteger(rows) || rows < 1) {
        throw this.#invalid(`${name} must be a whole number, at least 1, got ${rows}`)
      }
    }
    if (!Number.isFinite(remember) || remember < 0) {
      throw this.#invalid(`remember must be a number of seconds, at least 0, got ${remember}`)
    }
    if (defaultSort !== undefined && !this.#sorts.has(defaultSort)) {
      throw this.#invalid(`defaultSort is ${defaultSort}, which sort does not have`)
    }
    const taken = new Set([...placeParameters, 'total', this.#sortParameter])
    for (const { parameters } of this.#filters.values()) {
      for (const name of Object.keys(parameters)) {
        if (taken.has(name)) throw this.#invalid(`the parameter ${name} is used twice`)
        taken.add(name)
      }
    }
  }

  #invalid(reason: string): InvalidArgumentException {
    return new InvalidArgumentException(
      'E_LIST',
      `the list of ${this.#entity.table} is invalid: ${reason}`,
    )
  }
}

/**
 * The orders of a list by name: of columns, `price` and `-price`.
 * @throws InvalidArgumentException (E_COLUMN, E_LIST) for a column that the entity does not have or
 *   that has no order.
 */
function bindSorts(entity: AnyEntity, declared: DeclaredSorts, nulls: Nulls | null): Sorts {
  const sorts = new Map<string, readonly Ordering[]>()
  const bind = (column: string): Ordering => bindOrdering(entity, column, nulls)
  if (isColumns(declared)) {
    for (const column of declared) {
      sorts.set(column, [bind(column)])
      sorts.set(`-${column}`, [bind(`-${column}`)])
    }
    return sorts
  }
  for (const [name, columns] of Object.entries(declared)) {
    sorts.set(name, [columns].flat().map(bind))
  }
  return sorts
}

function bindOrdering(entity: AnyEntity, text: string, nulls: Nulls | null): Ordering {
  const isDescending = text.startsWith('-')
  const column = entity.column(isDescending ? text.slice(1) : text)
  if (column.kind === 'json' || column.kind === 'bytes') {
    throw new InvalidArgumentException(
      'E_LIST',
      `a list of ${entity.table} sorts by ${column.property}, which is ${column.kind}; sort by another column`,
    )
  }
  return {
    column,
    order: isDescending ? Orders.Desc : Orders.Asc,
    nulls: column.isNullable ? nulls : null,
  }
}

function isColumns(declared: DeclaredSorts): declared is readonly string[] {
  return Array.isArray(declared)
}
