/** How a filter compares a column with its value. */
export const Operators = {
  Equal: 'equal',
  Unequal: 'unequal',
  Greater: 'greater',
  GreaterOrEqual: 'greater-or-equal',
  Less: 'less',
  LessOrEqual: 'less-or-equal',
  /** Takes a pair; both ends are included. */
  Between: 'between',
  /** Takes a list; an empty one selects nothing. */
  In: 'in',
  IsNull: 'is-null',
  IsNotNull: 'is-not-null',
  IsTrue: 'is-true',
  IsFalse: 'is-false',
} as const
Object.freeze(Operators)
export type Operators = (typeof Operators)[keyof typeof Operators]

/** How a match compares a text column with a text. Only in `Like` are `%` and `_` wildcards. */
export const Matches = {
  Like: 'like',
  Contains: 'contains',
  StartsWith: 'starts-with',
  EndsWith: 'ends-with',
} as const
Object.freeze(Matches)
export type Matches = (typeof Matches)[keyof typeof Matches]

/** The direction of an order. */
export const Orders = { Asc: 'asc', Desc: 'desc' } as const
Object.freeze(Orders)
export type Orders = (typeof Orders)[keyof typeof Orders]

/** Where an order puts NULL; by default the database decides. */
export const Nulls = { First: 'first', Last: 'last' } as const
Object.freeze(Nulls)
export type Nulls = (typeof Nulls)[keyof typeof Nulls]
