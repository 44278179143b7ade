import type { Mend, SchemaDifference } from './schema-difference.ts'

/**
 * The source of the migration that mends what can be mended without a decision, advice included; null
 * if nothing can.
 */
export function mendingMigration(differences: readonly SchemaDifference[]): string | null {
  const mends = differences.flatMap(({ mend }) => (mend === null ? [] : [mend]))
  if (mends.length === 0) return null
  const up = mends.flatMap((mend) => mend.up)
  const down = revertOf(mends)
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
function revertOf(mends: readonly Mend[]): readonly string[] | null {
  const lines: string[] = []
  for (const { down } of mends.toReversed()) {
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
