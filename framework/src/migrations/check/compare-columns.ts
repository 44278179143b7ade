import { DatabaseError } from '../../database/database-error.ts'
import { unlessNested } from '../../database/transaction-options.ts'
import type { Surface } from '../../database/surface.ts'
import type { AnyEntity, EntityColumn } from '../../orm/entity/entity.ts'
import { columnOf, isSameName } from '../../database/sql/dialects/catalog/catalog-dialect.ts'
import type {
  CatalogColumn,
  CatalogTable,
} from '../../database/sql/dialects/catalog/catalog-dialect.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { fixedSql, sql } from '../../database/sql/plan/statement.ts'
import { columnSource, isWhole, neutralDefault, quoted } from './column-source.ts'
import type { SourceTarget } from './column-source.ts'
import { difference, SchemaAspects } from './schema-difference.ts'
import type { SchemaDifference, SchemaFix } from './schema-difference.ts'

/** The foreign keys of an entity by column. */
export type Targets = ReadonlyMap<string, SourceTarget>

/** The differences between the columns of an entity and those of its table. */
export async function compareColumns(
  surface: Surface,
  entity: AnyEntity,
  table: CatalogTable,
  targets: Targets,
): Promise<readonly SchemaDifference[]> {
  const { dialect } = surface
  const found: SchemaDifference[] = []
  for (const column of entity.columns) {
    const current = columnOf(table, column.name)
    if (current === undefined) {
      found.push(missingColumn(entity, table, column, targets))
      continue
    }
    const refused = await refusedMembers(surface, table, column, current)
    found.push(...columnChanges({ entity, table, column, current, targets, dialect, refused }))
  }
  return table.isView
    ? found
    : [...found, ...unknownColumns(entity, table), ...keyOf(entity, table)]
}

function missingColumn(
  { table: name }: AnyEntity,
  table: CatalogTable,
  column: EntityColumn,
  targets: Targets,
): SchemaDifference {
  const isFixed = table.isView || column.isKey
  const fix = isFixed ? null : addColumnFix(name, column, targets.get(column.name) ?? null)
  const text = `${name}.${column.name} does not exist`
  return difference(SchemaAspects.Column, name, column.name, text, { fix })
}

// Existing rows need a value. Where none fits every row, somebody has to fill it in between.
function addColumnFix(table: string, column: EntityColumn, target: SourceTarget | null): SchemaFix {
  const down = [`await schema.dropColumn(${quoted(table)}, ${quoted(column.name)})`]
  const add = (source: string): string =>
    `await schema.addColumn(${quoted(table)}, (table) => ${source})`
  if (column.isNullable)
    return { up: [add(columnSource(column, { isNullable: true, target }))], down }
  const neutral = target === null ? neutralDefault(column) : null
  if (neutral !== null) {
    return {
      up: [`// Existing rows get this value.`, add(columnSource(column, { default: neutral }))],
      down,
    }
  }
  // Whole numbers that refer to others are 64-bit integers, see `references`.
  const filled =
    target !== null && isWhole(column) ? { ...column, kind: 'bigint' as const } : column
  return {
    up: [
      add(columnSource(column, { isNullable: true, target })),
      `// Fill ${column.name} of the existing rows here: await schema.run(sql\`UPDATE …\`)`,
      `await schema.changeColumn(${quoted(table)}, (table) => ${columnSource(filled)})`,
    ],
    down,
  }
}

interface Pair {
  readonly entity: AnyEntity
  readonly table: CatalogTable
  readonly column: EntityColumn
  readonly current: CatalogColumn
  readonly targets: Targets
  readonly dialect: Dialect
  /** The members of its enumeration that the database refuses. */
  readonly refused: readonly string[]
}

/**
 * The members of an enumeration that its column refuses: too long, not in a type of the database's own,
 * or by a CHECK, which is evaluated as it stands.
 */
async function refusedMembers(
  surface: Surface,
  table: CatalogTable,
  { kind, name, members = [] }: EntityColumn,
  { limit, members: allowed }: CatalogColumn,
): Promise<readonly string[]> {
  if (kind !== 'enumeration') return []
  const fitting = members.filter(
    (member) =>
      Array.from(member).length <= (limit.length ?? Infinity) &&
      (allowed === null || allowed.includes(member)),
  )
  const refused = new Set(members.filter((member) => !fitting.includes(member)))
  for (const check of table.checks) {
    if (fitting.length === 0 || !check.toLowerCase().includes(name.toLowerCase())) continue
    for (const member of await membersAgainst(surface, table, name, fitting, check)) {
      refused.add(member)
    }
  }
  return members.filter((member) => refused.has(member))
}

// The members get the type and collation of the column by a UNION with none of its rows. A condition on
// other columns cannot be evaluated: it is an error, and refuses no member by itself.
async function membersAgainst(
  surface: Surface,
  table: CatalogTable,
  name: string,
  members: readonly string[],
  check: string,
): Promise<readonly string[]> {
  const column = sql.name(name)
  const values = members
    .map((member) => sql` UNION ALL SELECT ${member}`)
    .reduce((all, one) => sql`${all}${one}`)
  const query = sql`SELECT ${column} AS refused
    FROM (SELECT ${column} FROM ${sql.name(table.name)} WHERE 1 = 0${values}) AS given
    WHERE NOT (${fixedSql(`${check}\n`)})`
  try {
    const options = unlessNested(surface, { readOnly: true })
    const rows = await surface.transaction((inside) => inside.rows(query), options)
    return rows.map(({ refused }) => String(refused))
  } catch (error) {
    const isOther =
      error instanceof DatabaseError && ['E_STATEMENT', 'E_VALUE'].includes(error.code)
    if (isOther) return []
    throw error
  }
}

// One statement fixes them all, so only the first one has it.
function columnChanges(pair: Pair): readonly SchemaDifference[] {
  const [first, ...others] = columnFindings(pair)
  if (first === undefined) return []
  return [{ ...first, fix: changeColumnFix(pair) }, ...others]
}

function columnFindings(pair: Pair): readonly SchemaDifference[] {
  const { entity, table, column, current } = pair
  const place = `${entity.table}.${column.name}`
  const changes: SchemaDifference[] = []
  const add = (aspect: SchemaAspects, text: string): void =>
    void changes.push(difference(aspect, entity.table, column.name, text))
  if (!fits(pair)) {
    const { kind, precision, scale } = column
    const wanted = kind === 'decimal' ? `decimal (${precision}, ${scale})` : kind
    const type = current.type || 'of any type'
    add(SchemaAspects.Kind, `${place} is ${type} in the database and ${wanted} in the entity`)
  }
  if (pair.refused.length > 0) add(SchemaAspects.Kind, refusal(place, pair.refused))
  if (table.isView) return changes
  if (column.isNullable !== current.isNullable) {
    const [one, other] = current.isNullable ? ['database', 'entity'] : ['entity', 'database']
    add(SchemaAspects.Nullability, `${place} may be NULL in the ${one}, but not in the ${other}`)
  }
  // Nobody generates the columns of a key of several.
  const isPartOfKey = column.isKey && entity.keys.length > 1
  if (needsDefault(column) && !current.hasDefault && !isPartOfKey) {
    const text = `an insert may omit ${place}, but the database has no default for it`
    add(SchemaAspects.Default, text)
  }
  return changes
}

function refusal(place: string, members: readonly string[]): string {
  const list = members.map((member) => `'${member}'`).join(', ')
  return `${place} refuses ${list} in the database, ${members.length === 1 ? 'a member' : 'members'} in the entity`
}

// Keys may have fewer bits than the entity allows: who generates them decides.
function fits({ column, current, targets, dialect }: Pair): boolean {
  const { catalog } = dialect.schema
  if (column.kind === 'enumeration' && current.members !== null) return true
  if (catalog.fits(current.type, column)) return true
  const isKey = column.isKey || targets.has(column.name)
  return isKey && isWhole(column) && catalog.integers.test(current.type)
}

function needsDefault({ isOptional, isNullable, generate }: EntityColumn): boolean {
  return isOptional && !isNullable && generate === null
}

function changeColumnFix({ entity: { table }, column, current }: Pair): SchemaFix | null {
  if (column.isKey) return null
  const isStricter = current.isNullable && !column.isNullable
  const fallback = wantedDefault(column, current)
  return {
    up: [
      ...(isStricter
        ? [`// Fill the rows where ${column.name} is NULL first: await schema.run(sql\`UPDATE …\`)`]
        : []),
      ...(current.default === null
        ? []
        : [
            `// Its default was ${current.default.replaceAll(/\s+/g, ' ')}; say it again as you want it.`,
          ]),
      `await schema.changeColumn(${quoted(table)}, (table) => ${columnSource(column, { isNullable: column.isNullable, current, default: fallback })})`,
    ],
    down: null,
  }
}

function wantedDefault(column: EntityColumn, current: CatalogColumn): string {
  if (!needsDefault(column) && !current.hasDefault) return ''
  if (column.kind === 'timestamp' || column.kind === 'exact-timestamp') return '.defaultNow()'
  return neutralDefault(column) ?? ''
}

function unknownColumns(entity: AnyEntity, table: CatalogTable): readonly SchemaDifference[] {
  const known = new Set(entity.columns.map(({ name }) => name.toLowerCase()))
  return table.columns
    .filter(
      ({ name, isNullable, hasDefault }) =>
        !isNullable && !hasDefault && !known.has(name.toLowerCase()),
    )
    .map(({ name }) => {
      const text = `${entity.table}.${name} is not in the entity, may not be NULL and has no default, so every insert fails`
      return difference(SchemaAspects.Column, entity.table, name, text)
    })
}

function keyOf(entity: AnyEntity, table: CatalogTable): readonly SchemaDifference[] {
  const wanted = entity.keys.map(({ name }) => name)
  const isKey = [
    { columns: table.primary, isUnique: true, isPartial: false },
    ...table.indexes,
  ].some(
    ({ columns, isUnique, isPartial }) =>
      isUnique &&
      !isPartial &&
      columns.length === wanted.length &&
      wanted.every((name) => columns.some((column) => isSameName(column, name))),
  )
  if (isKey) return []
  const current = table.primary.length === 0 ? 'none' : table.primary.join(', ')
  const text = `the primary key of ${entity.table} is ${wanted.join(', ')} in the entity and ${current} in the database`
  return [difference(SchemaAspects.Key, entity.table, null, text)]
}
