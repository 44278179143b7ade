import type { Surface } from '../../database/surface.ts'
import type { AnyEntity, EntityColumn } from '../../orm/entity/entity.ts'
import type { CatalogTable } from '../../database/sql/dialects/catalog/catalog-dialect.ts'
import { columnSource, isWhole, neutralDefault, quoted, quotedList } from './column-source.ts'
import { compareColumns } from './compare-columns.ts'
import type { Targets } from './compare-columns.ts'
import { compareBridge, compareForeignKeys, foreignTargets } from './compare-relations.ts'
import { difference, SchemaAspects } from './schema-difference.ts'
import type { SchemaDifference, SchemaFix } from './schema-difference.ts'

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
  const tables = new Map<string, CatalogTable | null>()
  const tableOf = async (name: string): Promise<CatalogTable | null> => {
    const known = tables.get(name)
    if (known !== undefined) return known
    const table = await surface.dialect.schema.catalog.readTable(surface, name)
    tables.set(name, table)
    return table
  }
  const differences: SchemaDifference[] = []
  for (const entity of all) {
    const table = await tableOf(entity.table)
    const targets = foreignTargets(entity)
    if (table === null) {
      const text = `the table ${entity.table} does not exist`
      const fix = createTableFix(entity, targets)
      differences.push(difference(SchemaAspects.Table, entity.table, null, text, { fix }))
    } else {
      differences.push(
        ...(await compareColumns(surface, entity, table, targets)),
        ...compareForeignKeys(entity, table, targets),
      )
    }
  }
  for (const entity of all) {
    for (const [name, { bridge }] of entity.relations) {
      if (bridge === null) continue
      const table = await tableOf(bridge.through)
      differences.push(...compareBridge(entity, entity.target(name), bridge, table))
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
