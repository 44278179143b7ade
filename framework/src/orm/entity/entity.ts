import { InvalidArgumentException } from '../../base/errors.ts'
import type { ColumnReference } from '../../database/sql/plan/column-reference.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import { snakeCase } from '../../database/sql/plan/column-reference.ts'
import { Relation } from '../relations/relation.ts'
import { Column } from './column.ts'
import type { ColumnRenewal } from './column.ts'

/** A column of an entity, with its property name in TypeScript. */
export interface EntityColumn extends ColumnReference {
  readonly property: string
  readonly isKey: boolean
  readonly isOptional: boolean
  /** Makes the value of an insert that omits it; null if the database does. */
  readonly generate: (() => unknown) | null
  /** What every update of a row does with it. */
  readonly renewal: ColumnRenewal | null
}

/** Options of an entity. */
export interface EntityOptions<Name extends string = string> {
  /**
   * The column with the time at which a row was deleted, a `timestamp().nullable()`. Then `delete`
   * only sets it, and rows that have it are hidden. @default rows are deleted for good
   */
  readonly softDelete?: Name
}

/** What nothing is: a parameter of this type refuses every value, and the compiler shows the reason. */
export interface Refused<out Reason extends string> {
  readonly refused: Reason
}

/** An entity of any shape. */
export type AnyEntity = Entity<object>

/**
 * A table and the TypeScript type of its rows. Create one with `entity()`. `SoftDelete` is the property
 * of a soft delete, or null.
 */
export class Entity<
  out Shape extends object,
  out SoftDelete extends string | null = string | null,
> {
  readonly table: string
  readonly shape: Shape
  // A type only; this property never exists at run time.
  declare readonly softDelete: SoftDelete
  #declared: readonly EntityColumn[] | null = null
  #columns: readonly EntityColumn[] | null = null
  #renewed: readonly EntityColumn[] | null = null
  #keys: readonly EntityColumn[] | null = null
  #undeleted: readonly Condition[] | null = null
  readonly #softDelete: string | null
  #relations: ReadonlyMap<string, Relation<AnyEntity>> | null = null

  constructor(table: string, shape: Shape, { softDelete }: EntityOptions = {}) {
    this.table = table
    this.shape = shape
    this.#softDelete = softDelete ?? null
  }

  /**
   * Its columns: the declared ones, then the foreign keys implied by relations.
   * @throws InvalidArgumentException when two of them are the same column of the table.
   */
  get columns(): readonly EntityColumn[] {
    this.#columns ??= withForeignKeys(this, this.#declaredColumns())
    return this.#columns
  }

  /** The columns that every update of a row changes. */
  get renewed(): readonly EntityColumn[] {
    this.#renewed ??= this.#declaredColumns().filter(({ renewal }) => renewal !== null)
    return this.#renewed
  }

  /** The columns of the primary key, in the order of their declaration. */
  get keys(): readonly EntityColumn[] {
    // Without the foreign keys: two entities may each need the key of the other for theirs.
    this.#keys ??= this.#declaredColumns().filter(({ isKey }) => isKey)
    return this.#keys
  }

  /** The column with the time of a soft delete; null if rows are deleted for good. */
  get deletedAt(): EntityColumn | null {
    const property = this.#softDelete
    return property === null ? null : this.column(property)
  }

  /** The conditions of rows that are not deleted; none if rows are deleted for good. */
  get undeleted(): readonly Condition[] {
    this.#undeleted ??= isNotDeleted(this.deletedAt)
    return this.#undeleted
  }

  /**
   * The primary key, for a relation.
   * @throws InvalidArgumentException when it has several columns.
   */
  get key(): EntityColumn {
    const [first, ...others] = this.keys
    if (first === undefined) throw new TypeError('unreachable: entity() requires a key')
    if (others.length === 0) return first
    throw new InvalidArgumentException(
      'E_RELATION',
      `the key of ${this.table} is ${this.keys.map(({ property }) => property).join(' and ')}, but a relation refers to a key of one column; add a column key to it, or load the rows by a filter`,
    )
  }

  /** Its relations by property. */
  get relations(): ReadonlyMap<string, Relation<AnyEntity>> {
    this.#relations ??= new Map(
      Object.entries(this.shape).filter(([, part]) => part instanceof Relation),
    )
    return this.#relations
  }

  /**
   * The column of a property.
   * @throws InvalidArgumentException when the entity has no such column.
   */
  column(property: string): EntityColumn {
    const found = this.columns.find((column) => column.property === property)
    if (found !== undefined) return found
    throw new InvalidArgumentException(
      'E_COLUMN',
      `${this.table} has no column ${JSON.stringify(property)}; it has ${this.columns.map((column) => column.property).join(', ')}`,
    )
  }

  /**
   * The relation of a property.
   * @throws InvalidArgumentException when the entity has no such relation.
   */
  relation(property: string): Relation<AnyEntity> {
    const found = this.relations.get(property)
    if (found !== undefined) return found
    const known = [...this.relations.keys()].join(', ') || 'none'
    throw new InvalidArgumentException(
      'E_COLUMN',
      `${this.table} has no relation ${JSON.stringify(property)}; it has ${known}`,
    )
  }

  /**
   * The entity that a relation refers to.
   * @throws InvalidArgumentException when it is undefined, as with modules that import each other.
   */
  target(property: string): AnyEntity {
    const target: unknown = this.relation(property).target()
    if (target instanceof Entity) return target
    throw new InvalidArgumentException(
      'E_RELATION',
      `${this.table}.${property} does not refer to an entity; its function must return one, as in () => Users`,
    )
  }

  #declaredColumns(): readonly EntityColumn[] {
    this.#declared ??= declaredColumns(this)
    return this.#declared
  }
}

/**
 * Defines an entity: `entity('posts', { id: key.integer(), title: text(), author: belongsTo(() =>
 * Users) })`. Two entities that refer to each other use a getter: `get posts() { return hasMany(…)
 * }`.
 * @throws InvalidArgumentException without a table name, without a key, or with options that do not
 *   fit the columns.
 */
export function entity<const Shape extends object>(table: string, shape: Shape): Entity<Shape, null>
export function entity<const Shape extends object, const Name extends keyof Shape & string>(
  table: string,
  shape: Shape,
  options: EntityOptions<Name & DeletedAt<Shape[Name]>>,
): Entity<Shape, Name>
export function entity(table: string, shape: object, options: EntityOptions = {}): AnyEntity {
  if (table === '') throw new InvalidArgumentException('E_ENTITY', 'an entity needs a table name')
  const keys = Object.values(Object.getOwnPropertyDescriptors(shape)).filter(
    ({ value }) => value instanceof Column && value.options.isKey,
  )
  if (keys.length === 0) {
    throw new InvalidArgumentException(
      'E_ENTITY',
      `entity ${table}: at least one column must be the key; write id: key.integer()`,
    )
  }
  refuseSoftDelete(table, shape, options)
  return new Entity(table, shape, options)
}

type DeletedAt<Part> =
  IsNullableTime<Part> extends true
    ? unknown
    : Refused<'softDelete names a column timestamp().nullable()'>

type IsNullableTime<Part> =
  Part extends Column<infer T> ? ([T, null] extends [Date | null, T] ? true : false) : false

function refuseSoftDelete(table: string, shape: object, { softDelete }: EntityOptions): void {
  if (softDelete === undefined) return
  const part = Object.getOwnPropertyDescriptor(shape, softDelete)?.value
  if (part instanceof Column && part.kind === 'timestamp' && part.options.isNullable) return
  throw new InvalidArgumentException(
    'E_ENTITY',
    `entity ${table}: softDelete names ${JSON.stringify(softDelete)}, which must be a column timestamp().nullable()`,
  )
}

function isNotDeleted(column: EntityColumn | null): readonly Condition[] {
  if (column === null) return []
  return [{ type: 'comparison', column, operator: Operators.IsNull, value: null }]
}

function declaredColumns({ shape, table }: AnyEntity): readonly EntityColumn[] {
  const columns: EntityColumn[] = []
  for (const [property, part] of Object.entries(shape)) {
    if (part instanceof Column) {
      const { kind, options } = part
      columns.push({ ...options, property, kind, name: options.name ?? snakeCase(property) })
    } else if (!(part instanceof Relation)) throw invalidPart(table, property)
  }
  return columns.filter(({ isKey }) => isKey).length > 1 ? columns.map(givenKey) : columns
}

// No database generates a part of a key.
function givenKey(column: EntityColumn): EntityColumn {
  if (!column.isKey || column.generate !== null) return column
  return { ...column, isOptional: false }
}

function withForeignKeys(
  entity: AnyEntity,
  declared: readonly EntityColumn[],
): readonly EntityColumn[] {
  const columns = [...declared]
  for (const [name, relation] of entity.relations) {
    if (relation.kind !== 'belongs-to') continue
    const property = foreignProperty(name, relation)
    if (columns.some((column) => column.property === property)) continue
    columns.push(foreignKey(property, relation, entity.target(name)))
  }
  refuseClashes(entity, columns)
  return columns
}

/** The property that holds the foreign key of a `belongs-to` relation. */
export function foreignProperty(name: string, { property }: Relation<AnyEntity>): string {
  return property ?? `${name}Id`
}

function foreignKey(
  property: string,
  { isNullable }: Relation<AnyEntity>,
  target: AnyEntity,
): EntityColumn {
  return {
    ...target.key,
    property,
    name: snakeCase(property),
    isKey: false,
    generate: null,
    isNullable,
    isOptional: isNullable,
  }
}

function refuseClashes({ table, relations }: AnyEntity, columns: readonly EntityColumn[]): void {
  const owners = new Map<string, string>()
  for (const { name, property } of columns) {
    const other = relations.has(property) ? property : owners.get(name)
    if (other !== undefined) {
      throw new InvalidArgumentException(
        'E_ENTITY',
        `entity ${table}: column ${name} belongs to both ${property} and ${other}; name the property of its column in the relation, as in belongsTo(() => Users, 'writerId')`,
      )
    }
    owners.set(name, property)
  }
}

function invalidPart(table: string, property: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_ENTITY',
    `entity ${table}: ${property} is neither a column nor a relation; use text(), belongsTo(…) and the like`,
  )
}
