export { List, list, type ListDeclaration } from '../http/lists/list.ts'
export {
  atLeast,
  atMost,
  contains,
  custom,
  equal,
  oneOf,
  present,
  range,
  startsWith,
  type ListFilter,
} from '../http/lists/list-filter.ts'
export { ListPage } from '../http/lists/list-page.ts'
export { ListQuery } from '../http/lists/list-query.ts'
export type { FilterValues, RangeValue, SortName } from '../http/lists/list-types.ts'
export { pageNumbers, type PageNumber } from '../http/lists/list-page.ts'
