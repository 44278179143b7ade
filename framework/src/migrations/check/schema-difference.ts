/** What a difference between an entity and its table is about. */
export const SchemaAspects = {
  Table: 'table',
  Column: 'column',
  Kind: 'kind',
  Nullability: 'nullability',
  Default: 'default',
  Key: 'key',
  ForeignKey: 'foreign-key',
  /** Only advice: nothing fails without it. */
  Index: 'index',
} as const
Object.freeze(SchemaAspects)
export type SchemaAspects = (typeof SchemaAspects)[keyof typeof SchemaAspects]

/** A difference between the entities and the database. */
export interface SchemaDifference {
  readonly aspect: SchemaAspects
  readonly table: string
  /** Null if it is about the whole table. */
  readonly column: string | null
  /** What differs, as a sentence. */
  readonly text: string
  /** Whether everything works without it. */
  readonly isAdvice: boolean
  /** What a migration has to do; null if somebody has to decide. */
  readonly mend: Mend | null
}

/** Lines of a migration, and the lines that revert them. */
export interface Mend {
  readonly up: readonly string[]
  /** Null if it cannot be reverted. */
  readonly down: readonly string[] | null
}
