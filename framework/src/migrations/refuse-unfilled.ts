import { MigrationError } from './migration-error.ts'
import type { Migration, MigrationFile } from './migration-file.ts'

/** A line of new migrations that cannot be right as they are. */
export const unfilledLine =
  '// Describe the change here and remove this line: until then, migrate refuses to run this file.'

/**
 * Refuses a migration that is still as it was created, or does nothing: once it is recorded as applied,
 * what is filled in later would never run.
 * @throws MigrationError
 */
export function refuseUnfilled({ name, path }: MigrationFile, { up }: Migration): void {
  const source = String(up)
  if (source.includes(unfilledLine)) {
    throw new MigrationError(
      `${name} is not filled in yet: write its up(schema) and remove the line that says so, in ${path}`,
    )
  }
  if (!isEmpty(source)) return
  throw new MigrationError(
    `${name} has an empty up(schema), so it would be recorded as applied without a change: fill it in, or delete ${path}`,
  )
}

// `up(schema) {}`, `async function up() {}` and `() => {}`, whatever comments they have.
function isEmpty(source: string): boolean {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  return /^[^{}]*\{\s*\}\s*$/.test(code)
}
