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
  readonly fix: SchemaFix | null
}

/** A difference; without a fix, and not only advice, unless told otherwise. */
export function difference(
  aspect: SchemaAspects,
  table: string,
  column: string | null,
  text: string,
  { isAdvice = false, fix = null }: Partial<Pick<SchemaDifference, 'isAdvice' | 'fix'>> = {},
): SchemaDifference {
  return { aspect, table, column, text, isAdvice, fix }
}

/** Lines of a migration, and the lines that revert them. */
export interface SchemaFix {
  readonly up: readonly string[]
  /** Null if it cannot be reverted. */
  readonly down: readonly string[] | null
}

/**
 * The source of the migration that fixes what can be fixed without a decision, advice included; null
 * if nothing can.
 */
export function schemaFixMigration(differences: readonly SchemaDifference[]): string | null {
  const fixes = differences.flatMap(({ fix }) => (fix === null ? [] : [fix]))
  if (fixes.length === 0) return null
  const up = fixes.flatMap((fix) => fix.up)
  const down = revertOf(fixes)
  const needsSql = up.some((line) => line.includes('sql`'))
  const imports = needsSql
    ? `import { sql, type Schema } from 'framework/database'`
    : `import type { Schema } from 'framework/database'`
  return [
    imports,
    '',
    ...change('up', up),
    ...(down === null ? [] : ['', ...change('down', down)]),
    '',
  ].join('\n')
}

// Half a way back would be worse than none.
function revertOf(fixes: readonly SchemaFix[]): readonly string[] | null {
  const lines: string[] = []
  for (const { down } of fixes.toReversed()) {
    if (down === null) return null
    lines.push(...down)
  }
  return lines
}

function change(name: string, lines: readonly string[]): readonly string[] {
  return [
    `export async function ${name}(schema: Schema): Promise<void> {`,
    ...lines.map((line) => `  ${line}`),
    '}',
  ]
}
