import { compileFunction } from 'node:vm'
import { FrameworkError } from '../../base/errors.ts'
import type { Result } from '../../database/operation.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { reader } from '../../database/sql/values/reader.ts'
import type { EntityColumn } from '../entity/entity.ts'

/** A row by property, in the order of the entity's columns. */
export type PlainRow = Record<string, unknown>

/** A row of raw database values, in the order of the selected columns. */
export type RawRow = readonly unknown[]

type Hydrate = (raws: readonly RawRow[]) => PlainRow[]

const hydrators = new WeakMap<readonly EntityColumn[], Map<Dialect, Hydrate>>()

/**
 * Turns raw rows into plain objects of one shape. The columns must be the selected ones in order;
 * extra raw values are ignored.
 */
export function hydrateRows(
  columns: readonly EntityColumn[],
  dialect: Dialect,
  raws: readonly RawRow[],
): PlainRow[] {
  return hydratorOf(columns, dialect)(raws)
}

/**
 * The rows of a query with `raw`, as lists.
 * @throws FrameworkError when the surface returned objects.
 */
export function rawRows({ rows }: Result): readonly RawRow[] {
  if (areLists(rows)) return rows
  throw new FrameworkError(
    'E_DATABASE',
    'a query with raw: true returned objects; its surface must return rows as lists of the selected values',
  )
}

// All rows of a result have the shape of the first.
function areLists(rows: readonly unknown[]): rows is readonly RawRow[] {
  return rows.length === 0 || Array.isArray(rows[0])
}

function hydratorOf(columns: readonly EntityColumn[], dialect: Dialect): Hydrate {
  let known = hydrators.get(columns)
  if (known === undefined) hydrators.set(columns, (known = new Map()))
  let hydrate = known.get(dialect)
  if (hydrate === undefined) known.set(dialect, (hydrate = writeHydrator(columns, dialect)))
  return hydrate
}

// Generates the loop with an object literal, as one would write it by hand: assigning properties by
// variable names takes three times as long. Property names occur in it only as JSON text.
function writeHydrator(columns: readonly EntityColumn[], dialect: Dialect): Hydrate {
  const readers = columns.map((column) => reader(column, dialect))
  const names = readers.map((_, index) => `read${index}`)
  const pairs = columns.map(
    ({ property }, index) => `${JSON.stringify(property)}: read${index}(raw[${index}])`,
  )
  const code = `return (raws) => {
    const rows = new Array(raws.length)
    for (let index = 0; index < raws.length; index++) {
      const raw = raws[index]
      rows[index] = { ${pairs.join(', ')} }
    }
    return rows
  }`
  return compileFunction(code, names)(...readers) as Hydrate
}
