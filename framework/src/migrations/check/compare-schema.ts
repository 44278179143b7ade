import type { Surface } from '../../database/surface.ts'
import type { AnyEntity, EntityColumn } from '../../orm/entity/entity.ts'
import {
  columnSource,
  isWhole,
  neutralDefault,
  quoted,
  quotedList,
  referenceSource,
} from './column-source.ts'
import { compareColumns } from './compare-columns.ts'
import type { Targets } from './compare-columns.ts'
import { difference, SchemaAspects } from './schema-difference.ts'
import type { SchemaDifference, SchemaFix } from './schema-difference.ts'
import { Column } from '../../orm/entity/column.ts'
import { Entity, foreignProperty } from '../../orm/entity/entity.ts'
import { belongsTo } from '../../orm/relations/relation.ts'
import type { Bridge } from '../../orm/relations/relation.ts'
import {
  columnOf,
  isIndexed,
  isSameName,
  keysOf,
} from '../../database/sql/dialects/catalog/catalog-dialect.ts'
import type { CatalogTable } from '../../database/sql/dialects/catalog/catalog-dialect.ts'
import type { SourceTarget } from './column-source.ts'

/**
 * Compares entities, and those they are related to, with the tables of a database, which is only
 * read. Two entities may have the same table.
 * @returns the differences, tables first that others refer to; empty if there are none.
 */
export async function compareSchema(
  surface: Surface,
  entities: Iterable<AnyEntity>,
): Promise<readonly SchemaDifference[]> {
  const all = related(entities)
  const bridges = all.flatMap((entity) =>
    [...entity.relations].flatMap(([name, { bridge }]) =>
      bridge === null ? [] : [bridgeEntity(entity, name, bridge)],
    ),
  )
  const differences: SchemaDifference[] = []
  for (const entity of [...all, ...bridges]) {
    const table = await surface.dialect.schema.catalog.readTable(surface, entity.table)
    const targets = foreignTargets(entity)
    if (table === null) {
      const text = `the table ${entity.table} does not exist`
      const fix = createTableFix(entity, targets)
      differences.push(difference(SchemaAspects.Table, entity.table, null, text, { fix }))
      continue
    }
    const columns = await compareColumns(surface, entity, table, targets)
    const keys = compareForeignKeys(entity, table, targets)
    if (!bridges.includes(entity)) differences.push(...columns, ...keys)
    else {
      // What else a join table is like is up to the project.
      const missing = columns.filter(({ aspect }) => aspect === SchemaAspects.Column)
      const isSound = [...missing, ...keys].every(({ isAdvice }) => isAdvice)
      differences.push(...missing, ...keys, ...(isSound ? comparePairs(entity, table) : []))
    }
  }
  return withoutRepetition(differences)
}

/** The entities and all those they are related to, the ones that others refer to first. */
function related(entities: Iterable<AnyEntity>): readonly AnyEntity[] {
  const ordered = new Set<AnyEntity>()
  const visited = new Set<AnyEntity>()
  const visit = (entity: AnyEntity): void => {
    if (visited.has(entity)) return
    visited.add(entity)
    const later: AnyEntity[] = []
    for (const [name, { kind }] of entity.relations) {
      const target = entity.target(name)
      if (kind === 'belongs-to') visit(target)
      else later.push(target)
    }
    ordered.add(entity)
    later.forEach(visit)
  }
  for (const entity of entities) visit(entity)
  return [...ordered]
}

// Texts of keys get a length, which not every database can do without.
function createTableFix(entity: AnyEntity, targets: Targets): SchemaFix {
  const { keys } = entity
  const [key] = keys
  const isGenerated = keys.length === 1 && key !== undefined && key.isOptional && isWhole(key)
  const lines = entity.columns.map((column) => {
    if (isGenerated && column.isKey)
      return `table.key(${column.name === 'id' ? '' : quoted(column.name)})`
    return columnSource(column, {
      isNullable: column.isNullable,
      target: targets.get(column.name) ?? null,
      ...(!column.isKey &&
        column.isOptional &&
        !column.isNullable && { default: firstDefault(column) }),
      ...(column.isKey && { length: 190 }),
    })
  })
  const primary = isGenerated ? [] : [`table.primary(${quotedList(keys.map(({ name }) => name))})`]
  return {
    up: [
      `await schema.createTable(${quoted(entity.table)}, (table) => {`,
      ...[...lines, ...primary].map((line) => `  ${line}`),
      '})',
    ],
    down: [`await schema.dropTable(${quoted(entity.table)})`],
  }
}

function firstDefault(column: EntityColumn): string {
  if (column.generate !== null) return ''
  return column.kind === 'timestamp' ? '.defaultNow()' : (neutralDefault(column) ?? '')
}

// Both sides of a relation name its table.
function withoutRepetition(differences: readonly SchemaDifference[]): readonly SchemaDifference[] {
  const tables = new Set<string>()
  const texts = new Set<string>()
  return differences.filter(({ aspect, table, text }) => {
    const isRepeated = texts.has(text) || (aspect === SchemaAspects.Table && tables.has(table))
    texts.add(text)
    if (aspect === SchemaAspects.Table) tables.add(table)
    return !isRepeated
  })
}

/** The columns of an entity that hold the key of another. */
function foreignTargets(entity: AnyEntity): ReadonlyMap<string, SourceTarget> {
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
function compareForeignKeys(
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

/** The join table of a many-to-many relation as an entity, whose key are both of its columns. */
function bridgeEntity(entity: AnyEntity, name: string, bridge: Bridge): AnyEntity {
  const target = entity.target(name)
  return new Entity(bridge.through, {
    source: keyColumn(entity, bridge.source),
    target: keyColumn(target, bridge.target),
    sourceRow: belongsTo(() => entity, 'source'),
    targetRow: belongsTo(() => target, 'target'),
  })
}

function keyColumn({ key: { kind, precision, scale } }: AnyEntity, name: string): Column<unknown> {
  return new Column(kind, { name, precision, scale, isKey: true })
}

/** Advice for a join table that may hold the same pair twice. */
function comparePairs({ keys }: AnyEntity, table: CatalogTable): readonly SchemaDifference[] {
  const names = keys.map(({ name }) => name)
  const isUnique = table.indexes.some(
    ({ columns, isUnique: isOfUnique }) =>
      isOfUnique && columns.length === names.length && names.every((one) => columns.includes(one)),
  )
  if (isUnique || table.isView) return []
  const place = `${quoted(table.name)}, ${quotedList(names)}, { unique: true }`
  const text = `${table.name} may hold the same ${names.join(' and ')} twice: they have no unique index`
  return [
    difference(SchemaAspects.Index, table.name, null, text, {
      isAdvice: true,
      fix: indexFix(place),
    }),
  ]
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

function refersTo(table: CatalogTable, column: string, target: SourceTarget): boolean {
  return keysOf(table, column).some(
    (key) => isSameName(key.table, target.table) && isSameName(key.targets[0], target.column),
  )
}
