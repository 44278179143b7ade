export { List, list, type ListDeclaration, type ListSchemaProps } from '../web/lists/list.ts'
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
} from '../web/lists/list-filter.ts'
export { ListPage, type ListPageLinks } from '../web/lists/list-page.ts'
export {
  ListQuery,
  type ListQueryParts,
  type ListQuerySource,
  type ListSettings,
} from '../web/lists/list-query.ts'
export type {
  FilterOf,
  FiltersOf,
  FilterValues,
  NamedFilters,
  RangeValue,
  SortColumn,
  SortName,
  SortsOf,
} from '../web/lists/list-types.ts'
export { pageNumbers, type PageNumber, type PageNumbersOptions } from '../web/lists/page-numbers.ts'
export type { ListReadOptions } from '../web/lists/read-list.ts'
