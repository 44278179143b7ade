import type { Database } from '../../../../src/database/surface.ts'
import { key } from '../../../../src/orm/entity/column.ts'
import { Entity, entity } from '../../../../src/orm/entity/entity.ts'
import type { AnyEntity } from '../../../../src/orm/entity/entity.ts'
import { belongsTo, hasMany, hasOne, manyToMany } from '../../../../src/orm/relations/relation.ts'
import type { Relation } from '../../../../src/orm/relations/relation.ts'
import { asText, kinds } from './kinds.ts'
import { looseRepository } from './loose.ts'
import type { LooseRepository } from './loose.ts'
import { keyColumn } from './world.ts'
import type { RelationSpec, TableSpec } from './world.ts'

/** The entities of a world on a database that has its tables and rows. */
export interface Stage {
  readonly database: Database
  readonly tables: readonly TableSpec[]
  /** The repository of a table. */
  repository(table: TableSpec): LooseRepository
  /** Drops the tables. */
  close(): Promise<void>
}

/** Creates the tables of a world and inserts its rows by the ORM, except those of join tables. */
export async function openStage(database: Database, tables: readonly TableSpec[]): Promise<Stage> {
  const { name: dialect, quote } = database.dialect
  const run = (sql: string) => database.run({ sql, parameters: [] })
  const entities = entitiesOf(tables)
  const repository = (table: TableSpec) => looseRepository(entityOf(entities, table), database)
  const bridges = bridgesOf(tables)
  // Texts are compared as our migrations create them: exactly.
  const options = dialect === 'mariadb' ? ' COLLATE utf8mb4_nopad_bin' : ''
  for (const table of tables) {
    const columns = table.columns.map((column) => {
      const type = kinds[column.kind].types[dialect]
      return `${quote(column.name)} ${type}${column.isNullable ? '' : ' NOT NULL'}`
    })
    await run(
      `CREATE TABLE ${quote(table.name)} (${columns.join(', ')}, PRIMARY KEY (id))${options}`,
    )
    if (table.rows.length > 0) await repository(table).insertMany(table.rows)
  }
  for (const { through, from, to, pairs } of bridges) {
    const [source, target] = [from, to].map(({ keyKind }) => kinds[keyColumn[keyKind]])
    if (source === undefined || target === undefined) continue
    await run(
      `CREATE TABLE ${quote(through)} (${quote('from id')} ${source.types[dialect]} NOT NULL, ` +
        `${quote('to id')} ${target.types[dialect]} NOT NULL)${options}`,
    )
    // In another order than that of the keys.
    const values = pairs
      .toReversed()
      .map(([one, other]) => `(${source.literal(one, dialect)}, ${target.literal(other, dialect)})`)
    if (values.length > 0) await run(`INSERT INTO ${quote(through)} VALUES ${values.join(', ')}`)
  }
  return {
    database,
    tables,
    repository,
    close: async () => {
      for (const { name } of tables) await run(`DROP TABLE ${quote(name)}`)
      for (const { through } of bridges) await run(`DROP TABLE ${quote(through)}`)
    },
  }
}

/** Rows of one plain statement, as lists of texts; NULL is null. */
export async function plainRows(
  { database }: Stage,
  sql: string,
): Promise<readonly (readonly (string | null)[])[]> {
  const { rows } = await database.run({ sql, parameters: [], raw: true })
  return rows.map((row) => {
    if (!Array.isArray(row)) throw new TypeError('a raw row is a list')
    return row.map((value: unknown) => (value === null ? null : asText(value)))
  })
}

interface BridgeTable {
  readonly through: string
  readonly from: TableSpec
  readonly to: TableSpec
  readonly pairs: readonly (readonly [unknown, unknown])[]
}

function bridgesOf(tables: readonly TableSpec[]): readonly BridgeTable[] {
  return tables.flatMap((from) =>
    from.relations.flatMap(({ bridge, target }) =>
      bridge === null || bridge.source !== 'from id'
        ? []
        : [{ through: bridge.through, from, to: target, pairs: bridge.pairs }],
    ),
  )
}

function entitiesOf(tables: readonly TableSpec[]): ReadonlyMap<string, AnyEntity> {
  const entities = new Map<string, AnyEntity>()
  for (const { name, keyKind, columns, relations, softDelete } of tables) {
    // Foreign keys are implied by their relations.
    const implied = new Set(
      relations.flatMap(({ kind, property }) => (kind === 'belongs-to' ? [property] : [])),
    )
    const shape = {
      id: key[keyKind](),
      ...Object.fromEntries(
        columns
          .filter(({ property }) => property !== 'id' && !implied.has(property))
          .map(({ property, kind, isNullable }) => {
            const column = kinds[kind].column()
            return [property, isNullable ? column.nullable() : column]
          }),
      ),
      ...Object.fromEntries(
        relations.map((relation) => [
          relation.name,
          relationOf(relation, () => entityOf(entities, relation.target)),
        ]),
      ),
    }
    entities.set(
      name,
      softDelete === null ? entity(name, shape) : new Entity(name, shape, { softDelete }),
    )
  }
  return entities
}

function relationOf(
  { kind, property, isNullable, bridge }: RelationSpec,
  target: () => AnyEntity,
): Relation<AnyEntity> {
  if (bridge !== null) return manyToMany(target, bridge)
  if (kind === 'has-many') return hasMany(target, property)
  if (kind === 'has-one') return hasOne(target, property)
  const relation = belongsTo(target, property)
  return isNullable ? relation.nullable() : relation
}

function entityOf(entities: ReadonlyMap<string, AnyEntity>, { name }: TableSpec): AnyEntity {
  const found = entities.get(name)
  if (found instanceof Entity) return found
  throw new TypeError(`there is no entity ${name}`)
}
