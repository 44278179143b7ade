export { List, list, type ListDeclaration, type ListSchemaProps } from '../http/lists/list.ts'
export {
  atLeast,
  atMost,
  contains,
  equal,
  oneOf,
  present,
  range,
  startsWith,
  type FilterKind,
  type FilterOptions,
  type ListFilter,
} from '../http/lists/list-filter.ts'
export { ListPage, type ListPageLinks } from '../http/lists/list-page.ts'
export {
  ListQuery,
  type ListQueryParts,
  type ListQuerySource,
  type ListSettings,
} from '../http/lists/list-query.ts'
export type {
  FilterOf,
  FiltersOf,
  FilterValues,
  NamedFilters,
  RangeValue,
  SortColumn,
  SortName,
  SortsOf,
} from '../http/lists/list-types.ts'
export { pageNumbers, type PageNumber, type PageNumbersOptions } from '../http/lists/list-page.ts'
export type { ListReadOptions } from '../http/lists/read-list.ts'
