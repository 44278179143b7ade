import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type {
  SchemaOptions,
  SchemaResult,
  StandardSchemaProps,
} from '../../base/schema/standard-schema.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { RelatedRows, RelationOf, SoundRelation } from '../../orm/entity/row.ts'
import type { Counts, Modes } from '../../orm/pagination/pagination.ts'
import { Selection } from '../../orm/selection.ts'
import type { Scope, OrderKind } from '../../orm/selection.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { Nulls, Orders } from '../../database/sql/plan/operators.ts'
import type { Ordering } from '../../database/sql/plan/select-plan.ts'
import type { InputFields } from '../input/read-input.ts'
import { ListQuery, listDefaults, readListRequest } from './list-query.ts'
import type { ListSettings } from './list-query.ts'
import { bodySchema, placeSchemas } from './list-schema.ts'
import type { FilterValues, FiltersOf, NamedFilters, SortName, SortsOf } from './list-types.ts'
import { bindFilter } from './bound-filter.ts'
import type { BoundFilter } from './bound-filter.ts'
import { QueryReader } from './query-reader.ts'

/** The argument of `list`. */
export interface ListDeclaration<
  E extends AnyEntity,
  Filters extends FiltersOf<E>,
  Declared extends SortsOf<E>,
  With extends RelationOf<E>,
> {
  /** Filters by parameter: `{ q: contains('name'), category: equal(), price: range() }`. */
  readonly filter?: Filters & NamedFilters<E, NoInfer<Filters>>
  /**
   * Orders that a request can choose: columns, `['name', 'price']`, each in both directions, or orders by
   * name, `{ cheapest: 'price', newest: ['-createdAt', 'name'] }`. The first is the default.
   * @default by key
   */
  readonly sort?: Declared
  /** The order of a request that chooses none. @default the first of `sort` */
  readonly defaultSort?: SortName<NoInfer<Declared>>
  /** The parameter of the order. @default 'sort' */
  readonly sortParameter?: string
  /** Relations to load. */
  readonly with?: readonly (With & SoundRelation<E, With>)[]
  /** A restriction of every request. */
  readonly where?: Scope<E>
  /** Rows of a request without a valid `limit`. @default DatabaseResource.limit */
  readonly limit?: number
  /** The largest `limit`; a larger one is reduced to it. @default DatabaseResource.cap */
  readonly maxLimit?: number
  /** `cursor` for a list without pages. @default 'page', unless the request has a cursor */
  readonly mode?: Modes
  /** How the total is determined. By cursor only a capped or estimated one is. @default 'exact' */
  readonly count?: Counts
  /** Where a capped count stops. @default 10000 */
  readonly cap?: number
  /**
   * For how many seconds the links to other pages keep the total, so that only the first page counts. It is
   * signed, so it needs the `key` of `Resources.Database`; without one every page counts. @default 0
   */
  readonly remember?: number
  /** Whether a cursor may walk orders with nullable columns; their rows without a value come last. @default false */
  readonly nulls?: boolean
  /** Parameters that something else reads, such as `tab`. Every other unknown one is a 400 for JSON; pages leave it out. */
  readonly ignore?: readonly string[]
}

/** The members of a list as a schema: an invalid query is a 400. */
export interface ListSchemaProps<Output> extends StandardSchemaProps<unknown, Output> {
  readonly status: 400
  /** The parameters that its pages keep: those of the list, and of `ignore`. */
  readonly parameters: ReadonlySet<string>
  readonly jsonSchema: { input(): JsonSchema; output(): JsonSchema }
}

/** The parameters of the place in a list. */
const placeParameters = ['limit', 'page', 'cursor']

/**
 * A list by declaration: the `query` of a route. It is a Standard Schema that reads and checks the query
 * of a request; `response.database.list(items, request.input.query)` returns the rows.
 */
export class List<
  E extends AnyEntity,
  out Values = unknown,
  out Sort extends string = string,
  out Loaded = unknown,
> {
  readonly entity: E
  readonly '~standard': ListSchemaProps<ListQuery<E, Values, Sort, Loaded>>
  /** The JSON body of its pages, for `responses` of `openapi`. */
  readonly body: { readonly '~standard': StandardSchemaProps }

  constructor(
    entity: E,
    standard: ListSchemaProps<ListQuery<E, Values, Sort, Loaded>>,
    body: StandardSchemaProps,
  ) {
    this.entity = entity
    this['~standard'] = standard
    this.body = Object.freeze({ '~standard': body })
    Object.freeze(this)
  }
}

/**
 * Declares a list: `list(Items, { filter: { q: contains('name'), price: range() }, sort: ['name',
 * 'price'] })`.
 * @throws InvalidArgumentException (E_LIST, E_COLUMN) if it is declared incorrectly.
 */
export function list<
  E extends AnyEntity,
  // Without a default: functions inside get the entity from the constraint.
  const Filters extends FiltersOf<E>,
  const Declared extends SortsOf<E> = readonly [],
  const With extends RelationOf<E> = never,
>(
  entity: E,
  declaration: ListDeclaration<E, Filters, Declared, With>,
): List<E, FilterValues<E, Filters>, SortName<Declared>, RelatedRows<E, With>> {
  const bound = new BoundList<E, FilterValues<E, Filters>, SortName<Declared>, With>(
    entity,
    declaration,
  )
  const standard: ListSchemaProps<
    ListQuery<E, FilterValues<E, Filters>, SortName<Declared>, RelatedRows<E, With>>
  > = Object.freeze({
    version: 1,
    vendor: 'framework',
    status: 400,
    parameters: bound.parameters,
    validate: (fields: unknown, options?: SchemaOptions) => bound.read(fields, zonesOf(options)),
    jsonSchema: Object.freeze({ input: () => bound.querySchema, output: () => ({}) }),
  })
  return new List(entity, standard, bodyProps(entity, declaration.mode ?? null))
}

function zonesOf({ libraryOptions }: SchemaOptions = {}): () => string {
  const { zoneOf = utc }: { readonly zoneOf?: () => string } = Object(libraryOptions)
  return zoneOf
}

const utc = (): string => 'UTC'

// Only describes: nothing is checked by it.
function bodyProps(entity: AnyEntity, mode: Modes | null): StandardSchemaProps {
  const describe = (): JsonSchema => bodySchema(entity, mode)
  return Object.freeze({
    version: 1,
    vendor: 'framework',
    validate: (value: unknown) => ({ value }),
    jsonSchema: Object.freeze({ input: describe, output: describe }),
  })
}

/** The orders of a list, as declared: columns, or orders by name. */
type DeclaredSorts = readonly string[] | Readonly<Record<string, string | readonly string[]>>

/** A declaration, as far as its types matter here. */
interface BoundDeclaration<E extends AnyEntity, With extends RelationOf<E>> extends Omit<
  ListDeclaration<E, FiltersOf<E>, SortsOf<E>, With>,
  'filter' | 'sort' | 'defaultSort'
> {
  readonly filter?: FiltersOf<E>
  readonly sort?: DeclaredSorts
  readonly defaultSort?: string
}

/** Orders by the name that a request chooses them with. */
type Sorts = ReadonlyMap<string, readonly Ordering[]>

/** The filters of a request, as they are read in a time zone. */
interface FiltersReading<E extends AnyEntity, Values> {
  readonly timeZone: string
  readonly filters: readonly ReturnType<BoundFilter<E>['read']>[]
  readonly values: Values
}

/** A declared list, checked against its entity. */
class BoundList<E extends AnyEntity, Values, Sort extends string, With extends RelationOf<E>> {
  readonly #entity: E
  readonly #declaration: BoundDeclaration<E, With>
  readonly #filters: ReadonlyMap<string, BoundFilter<E>>
  readonly #sorts: Sorts
  readonly #sortParameter: string
  readonly #defaultSort: string | null
  readonly #known: ReadonlySet<string>
  readonly #settings: Omit<ListSettings, 'total'>
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
    const properties = this.#describe()
    this.querySchema = { type: 'object', properties, additionalProperties: false }
    this.#known = new Set(Object.keys(properties))
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

  /** Reads the fields of a query. What is wrong with them is so in every time zone. */
  read(
    fields: unknown,
    zoneOf: () => string,
  ): SchemaResult<ListQuery<E, Values, Sort, RelatedRows<E, With>>> {
    const reader = this.#readerOf(fields, 'UTC')
    const utc = this.#readFilters(reader)
    const sort = this.#readSort(reader)
    const place = this.#readPlace(reader)
    const total = this.#remembers ? (reader.text('total') ?? null) : null
    if (reader.issues.length > 0) return { issues: reader.issues }
    let read: FiltersReading<E, Values> | null = null
    const filters = (): FiltersReading<E, Values> => {
      if (read !== null) return read
      const timeZone = zoneOf()
      read = timeZone === 'UTC' ? utc : this.#readFilters(this.#readerOf(fields, timeZone))
      return read
    }
    const value = new ListQuery({
      sort: this.#typed(sort),
      fields: this.#shown(reader.fields),
      place,
      settings: { ...this.#settings, total },
      filters,
      select: (dialect) => this.#select(filters(), sort, dialect),
    })
    return { value }
  }

  /** The parameters as JSON Schema. */
  #describe(): Readonly<Record<string, JsonSchema>> {
    const names = [...this.#sorts.keys()]
    return Object.assign(
      {},
      ...[...this.#filters.values()].map(({ parameters }) => parameters),
      names.length > 0 && {
        [this.#sortParameter]: { type: 'string', enum: names, default: this.#defaultSort },
      },
      placeSchemas(this.#limits, this.#declaration.mode ?? null),
      this.#remembers && {
        total: { type: 'string', description: 'The total, as the links have it.' },
      },
    )
  }

  #readerOf(fields: unknown, timeZone: string): QueryReader {
    return new QueryReader(fields, timeZone, { known: this.#known, allowed: this.parameters })
  }

  #readFilters(reader: QueryReader): FiltersReading<E, Values> {
    const read = [...this.#filters].map(([name, filter]) => [name, filter.read(reader)] as const)
    const values = Object.fromEntries(read.map(([name, { value }]) => [name, value]))
    const filters = read.map(([, filter]) => filter)
    return { timeZone: reader.timeZone, filters, values: this.#typed(values) }
  }

  // The types come from the declaration that the values were read by.
  #typed(sort: string | null): Sort | null
  #typed(values: object): Values
  #typed(given: unknown): unknown {
    return given
  }

  #readSort(reader: QueryReader): string | null {
    const name = this.#sorts.size === 0 ? undefined : reader.text(this.#sortParameter)
    if (name === undefined) return this.#defaultSort
    if (this.#sorts.has(name)) return name
    const values = { choices: [...this.#sorts.keys()].join(', ') }
    reader.note(this.#sortParameter, { text: 'must be one of {choices}.', values })
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
    { filters }: FiltersReading<E, Values>,
    sort: string | null,
    dialect: Dialect,
  ): Selection<E, RelatedRows<E, With>, OrderKind> {
    const selection = new Selection(this.#entity, dialect)
    this.#declaration.where?.(selection)
    for (const filter of filters) filter.narrow(selection)
    const orderings = this.#sorts.get(sort ?? '') ?? []
    return selection.extend({ orderings }).with<With>(...(this.#declaration.with ?? []))
  }

  // What was sent, without what is empty and without the place in the list.
  #shown(given: QueryReader['fields']): InputFields {
    const shown: Record<string, string | readonly string[]> = {}
    for (const name of Object.keys(given)) {
      const value = given[name]
      const isPlace = name === 'page' || name === 'cursor' || name === 'total'
      if (isPlace || value === '' || !this.#known.has(name)) continue
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
