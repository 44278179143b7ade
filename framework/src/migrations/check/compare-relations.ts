import { foreignProperty } from '../../orm/entity/entity.ts'
import type { AnyEntity } from '../../orm/entity/entity.ts'
import type { Bridge } from '../../orm/relations/relation.ts'
import type { CatalogTable } from '../../database/sql/dialects/catalog/catalog-dialect.ts'
import { columnSource, quoted, quotedList, referenceSource } from './column-source.ts'
import type { SourceTarget } from './column-source.ts'
import { columnOf } from './compare-columns.ts'
import { difference, SchemaAspects } from './schema-difference.ts'
import type { SchemaDifference, SchemaFix } from './schema-difference.ts'

/** The columns of an entity that hold the key of another. */
export function foreignTargets(entity: AnyEntity): ReadonlyMap<string, SourceTarget> {
  const targets = new Map<string, SourceTarget>()
  for (const [name, relation] of entity.relations) {
    if (relation.kind !== 'belongs-to') continue
    const target = entity.target(name)
    const [key, ...others] = target.keys
    const column = entity.columns.find(
      ({ property }) => property === foreignProperty(name, relation),
    )
    if (key === undefined || column === undefined || others.length > 0) continue
    targets.set(column.name, { table: target.table, column: key.name })
  }
  return targets
}

/** The foreign keys that a table lacks, and the indexes that its relations would use. */
export function compareForeignKeys(
  entity: AnyEntity,
  table: CatalogTable,
  targets: ReadonlyMap<string, SourceTarget>,
): readonly SchemaDifference[] {
  if (table.isView) return []
  const differences: SchemaDifference[] = []
  for (const [column, target] of targets) {
    if (columnOf(table, column) === undefined) continue
    const refers = refersTo(table, column, target)
    if (!refers) differences.push(missingKey(entity.table, column, target))
    if (!isIndexed(table, column)) differences.push(missingIndex(entity.table, column, refers))
  }
  return differences
}

/** The differences of the join table of a many-to-many relation; `table` is null if it is missing. */
export function compareBridge(
  entity: AnyEntity,
  target: AnyEntity,
  bridge: Bridge,
  table: CatalogTable | null,
): readonly SchemaDifference[] {
  if (table === null) return [missingBridge(entity, target, bridge)]
  if (table.isView) return []
  const sides = [
    { column: bridge.source, entity },
    { column: bridge.target, entity: target },
  ]
  const found = sides.flatMap(({ column, entity: side }): readonly SchemaDifference[] => {
    const key = side.key
    if (columnOf(table, column) === undefined) {
      const text = `${bridge.through}.${column} does not exist`
      return [difference(SchemaAspects.Column, bridge.through, column, text)]
    }
    const reference = { table: side.table, column: key.name }
    return refersTo(table, column, reference) ? [] : [missingKey(bridge.through, column, reference)]
  })
  const isPairUnique = table.indexes.some(
    ({ columns, isUnique }) =>
      isUnique &&
      columns.length === 2 &&
      columns.includes(bridge.source) &&
      columns.includes(bridge.target),
  )
  const unindexed = sides.filter(({ column }) => !isIndexed(table, column))
  return [
    ...found,
    ...(found.length > 0 || isPairUnique ? [] : [repeatedPairs(bridge)]),
    ...unindexed
      .filter(({ column }) => columnOf(table, column) !== undefined)
      .map(({ column }) => {
        const isMissing = found.some((other) => other.column === column)
        return missingIndex(bridge.through, column, !isMissing)
      }),
  ]
}

function missingBridge(entity: AnyEntity, target: AnyEntity, bridge: Bridge): SchemaDifference {
  const { through } = bridge
  const columns = [
    columnSource(
      { ...entity.key, name: bridge.source },
      { target: { table: entity.table, column: entity.key.name } },
    ),
    columnSource(
      { ...target.key, name: bridge.target },
      { target: { table: target.table, column: target.key.name } },
    ),
    `table.primary(${quotedList([bridge.source, bridge.target])})`,
  ]
  const fix = {
    up: [
      `await schema.createTable(${quoted(through)}, (table) => {`,
      ...columns.map((line) => `  ${line}`),
      '})',
    ],
    down: [`await schema.dropTable(${quoted(through)})`],
  }
  const text = `the table ${through} of a relation between ${entity.table} and ${target.table} does not exist`
  return difference(SchemaAspects.Table, through, null, text, { fix })
}

function missingKey(table: string, column: string, target: SourceTarget): SchemaDifference {
  const place = `${quoted(table)}, ${quoted(column)}`
  const fix = {
    up: [`await schema.addForeignKey(${place}, ${referenceSource(target)})`],
    down: [`await schema.dropForeignKey(${place})`],
  }
  const text = `${table}.${column} is not a foreign key to ${target.table}.${target.column}`
  return difference(SchemaAspects.ForeignKey, table, column, text, { fix })
}

// A foreign key that is added brings its index.
function missingIndex(table: string, column: string, isForeignKey: boolean): SchemaDifference {
  const place = `${quoted(table)}, [${quoted(column)}]`
  const fix = isForeignKey ? indexFix(place) : null
  const text = `no index of ${table} begins with ${column}, so its relation reads the whole table`
  return difference(SchemaAspects.Index, table, column, text, { isAdvice: true, fix })
}

function indexFix(place: string): SchemaFix {
  return { up: [`await schema.createIndex(${place})`], down: [`await schema.dropIndex(${place})`] }
}

function repeatedPairs({ through, source, target }: Bridge): SchemaDifference {
  const place = `${quoted(through)}, ${quotedList([source, target])}, { unique: true }`
  const text = `${through} may hold the same ${source} and ${target} twice: they have no unique index`
  return difference(SchemaAspects.Index, through, null, text, {
    isAdvice: true,
    fix: indexFix(place),
  })
}

function refersTo(table: CatalogTable, column: string, target: SourceTarget): boolean {
  return table.foreignKeys.some(
    (key) =>
      key.columns.length === 1 &&
      isSame(key.columns[0], column) &&
      isSame(key.table, target.table) &&
      isSame(key.targets[0], target.column),
  )
}

function isIndexed(table: CatalogTable, column: string): boolean {
  return table.indexes.some(({ columns, isPartial }) => !isPartial && isSame(columns[0], column))
}

function isSame(one: string | null | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}
