import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type { StandardSchemaProps } from '../../base/schema/standard-schema.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { RelatedRows, RelationOf, SoundRelation } from '../../orm/entity/row.ts'
import type { Counts, Modes } from '../../orm/pagination/pagination.ts'
import type { Scope } from '../../orm/selection.ts'
import { BoundList } from './bound-list.ts'
import type { ListQuery } from './list-query.ts'
import { bodySchema } from './list-schema.ts'
import type { FilterValues, FiltersOf, NamedFilters, SortName, SortsOf } from './list-types.ts'

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
    validate: (fields: unknown) => bound.read(fields),
    jsonSchema: Object.freeze({ input: () => bound.querySchema, output: () => ({}) }),
  })
  return new List(entity, standard, bodyProps(entity, declaration.mode ?? null))
}

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
