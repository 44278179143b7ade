import { printable } from '../../base/encoding/printable.ts'
import type { Database } from '../../database/surface.ts'
import { compareSchema } from '../../migrations/check/compare-schema.ts'
import { schemaFixMigration } from '../../migrations/check/schema-difference.ts'
import { projectEntities } from '../../migrations/project-modules.ts'
import type { SchemaDifference } from '../../migrations/check/schema-difference.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** What `framework migrate check` compares, and how it prints. */
export interface CheckSchemaOptions {
  readonly database: Database
  /** Folder of the modules that export the entities. */
  readonly entities: string
  /** Migrations that are not applied, which may explain the differences. */
  readonly pending: readonly string[]
  readonly json: boolean
}

/**
 * Prints each difference between the entities and the database, and the migration that would mend
 * it. The status is 1 if there are any; advice alone leaves it at 0.
 */
export async function checkSchema(
  { database, entities: folder, pending, json }: CheckSchemaOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const entities = await projectEntities(folder)
  const differences = await compareSchema(database, entities)
  const migration = schemaFixMigration(differences)
  const report = {
    database: database.label,
    pending,
    differences: differences.map(plain),
    migration,
  }
  if (json) terminal.out(`${JSON.stringify(report, null, 2)}\n`)
  else if (differences.length === 0) {
    const count = entities.length === 1 ? '1 entity' : `${entities.length} entities`
    terminal.out(`${printable(database.label)}: ${count}, no difference\n`)
  } else printDifferences(differences, { pending, migration }, terminal)
  return differences.some(({ isAdvice }) => !isAdvice) ? ExitStatus.UserError : ExitStatus.Ok
}

function plain({ aspect, table, column, text, isAdvice }: SchemaDifference): object {
  return { aspect, table, column, text, isAdvice }
}

function printDifferences(
  differences: readonly SchemaDifference[],
  { pending, migration }: { pending: readonly string[]; migration: string | null },
  terminal: Terminal,
): void {
  const { red, yellow, bold, dim } = terminal.paint
  for (const { text, isAdvice } of differences) {
    terminal.out(`${isAdvice ? yellow('advice') : red('differs')}  ${printable(text)}\n`)
  }
  if (pending.length > 0) {
    const names = pending.map((name) => printable(name)).join(', ')
    terminal.out(
      `\n${bold('not applied yet')}  ${names}; \`framework migrate\` first, then check again\n`,
    )
  }
  if (migration === null) return
  terminal.out(`\n${dim('// What would mend it, for `framework make:migration`:')}\n${migration}`)
}
