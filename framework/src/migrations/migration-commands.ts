import { printable } from '../base/encoding/printable.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Paints } from '../base/terminal/paints.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { textTable } from '../base/terminal/text-table.ts'
import type { Database } from '../database/surface.ts'
import type { Environments } from '../settings/environments.ts'
import { compareSchema } from './check/compare-schema.ts'
import { schemaFixMigration } from './check/schema-difference.ts'
import { projectEntities } from './project-modules.ts'
import type { SchemaDifference } from './check/schema-difference.ts'
import { MigrationError } from './migration-error.ts'
import type { BuiltInMigration } from './migration-file.ts'
import { MigrationStates } from './migration-states.ts'
import type { MigrationStatus } from './migration-states.ts'
import type { MigrationStep } from './migration-error.ts'
import { Migrator } from './migrator.ts'
import type { MigratorOptions } from './migrator.ts'
import { seed } from './seed.ts'

/** The database of a project that a command works on. */
export interface DatabaseCommandContext {
  readonly database: Database
  /** Folder of the migrations or seeds. */
  readonly folder: string
  /** Migrations that modules of the project bring. */
  readonly builtIn: readonly BuiltInMigration[]
  readonly environment: Environments
}

/** Actions of `framework migrate`. */
export type MigrateAction = 'up' | 'down' | 'status' | 'check' | 'fresh'

/** Options of `framework migrate`. */
export interface MigrateOptions {
  /** The maximum number of migrations. */
  readonly steps?: number
  /** `up`: even if files are late, changed or missing; `fresh`: even in production. */
  readonly force?: boolean
  /** Stops before a change that blocks others for long. */
  readonly stopOnWarning?: boolean
  /** `check`: folder of the modules that export the entities. */
  readonly entities: string
  /** `check`: whether to print JSON. */
  readonly json?: boolean
}

/** Migrates a database, prints the status of its migrations, or compares it with the entities. */
export function migrateCommand(
  action: MigrateAction,
  context: DatabaseCommandContext,
  options: MigrateOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (action === 'check') return checkSchema(context, options, terminal)
  if (action === 'status') return listStatuses(context, terminal)
  return migrate(action, context, options, terminal)
}

async function migrate(
  action: 'up' | 'down' | 'fresh',
  { database, folder, builtIn, environment }: DatabaseCommandContext,
  { steps, force = false, stopOnWarning = false }: MigrateOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const migrator = new Migrator(database, folder, {
    builtIn,
    onWarning: warner(stopOnWarning, terminal),
  })
  const run = {
    up: () => migrator.up({ steps, force }),
    down: () => migrator.down({ steps }),
    fresh: () => migrator.fresh({ environment, force }),
  }
  try {
    const done = await run[action]()
    if (done.length === 0) terminal.out(`${printable(database.label)}: ${nothing[action]}\n`)
    else printSteps(done, terminal)
    return ExitStatus.Ok
  } catch (thrown) {
    if (thrown instanceof MigrationError && thrown.done.length > 0) {
      printSteps(thrown.done, terminal)
    }
    throw thrown
  }
}

const nothing = {
  up: 'nothing to migrate, everything is applied',
  down: 'nothing to roll back',
  fresh: 'emptied; there are no migrations',
} as const

function warner(
  stopOnWarning: boolean,
  terminal: Terminal,
): NonNullable<MigratorOptions['onWarning']> {
  const printed = new Set<string>()
  return ({ migration, text }) => {
    if (stopOnWarning) throw new MigrationError(`${text} (--stop-on-warning)`)
    // A migration may be run a second time, without foreign keys.
    if (printed.has(text)) return
    printed.add(text)
    terminal.err(`${terminal.errorPaint.yellow('warning')} ${migration}: ${printable(text)}\n`)
  }
}

function printSteps(steps: readonly MigrationStep[], terminal: Terminal): void {
  const { green, yellow, dim } = terminal.paint
  const rows = steps.map(({ name, direction, batch, durationMs }) => [
    name,
    direction === 'up' ? green('applied') : yellow('rolled back'),
    String(batch),
    dim(`${Math.round(durationMs)} ms`),
  ])
  terminal.out(textTable(['migration', 'state', 'batch', 'took'], rows, terminal))
}

/** The exit status tells whether `up` would refuse to run. */
async function listStatuses(
  { database, folder, builtIn }: DatabaseCommandContext,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { paint } = terminal
  terminal.out(`${paint.dim('database')}  ${printable(database.label)}\n\n`)
  const statuses = await new Migrator(database, folder, { builtIn }).status()
  if (statuses.length === 0) terminal.out('there are no migrations\n')
  else terminal.out(statusTable(statuses, terminal))
  return statuses.some(({ state }) => isInconsistent(state)) ? ExitStatus.UserError : ExitStatus.Ok
}

function statusTable(statuses: readonly MigrationStatus[], terminal: Terminal): string {
  const rows = statuses.map(({ name, state, batch, appliedAt }) => [
    printable(name),
    paintState(state, terminal.paint),
    batch === null ? '' : String(batch),
    appliedAt === null ? '' : `${appliedAt} UTC`,
  ])
  return textTable(['migration', 'state', 'batch', 'applied'], rows, terminal)
}

function paintState(state: MigrationStates, { green, yellow, red }: Paints): string {
  if (isInconsistent(state)) return red(state)
  return state === MigrationStates.Applied ? green(state) : yellow(state)
}

function isInconsistent(state: MigrationStates): boolean {
  return state !== MigrationStates.Applied && state !== MigrationStates.Pending
}

/**
 * Prints each difference between the entities and the database, and the migration that would fix
 * it. The status is 1 if there are any; advice alone leaves it at 0.
 */
async function checkSchema(
  { database, folder, builtIn }: DatabaseCommandContext,
  { entities: entitiesFolder, json = false }: MigrateOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  // Not applied yet; they may explain the differences.
  const pending = await new Migrator(database, folder, { builtIn }).pending()
  const entities = await projectEntities(entitiesFolder)
  const differences = await compareSchema(database, entities)
  const migration = schemaFixMigration(differences)
  if (json) {
    const plain = differences.map(({ aspect, table, column, text, isAdvice }) => ({
      aspect,
      table,
      column,
      text,
      isAdvice,
    }))
    const report = { database: database.label, pending, differences: plain, migration }
    terminal.out(`${JSON.stringify(report, null, 2)}\n`)
  } else if (differences.length === 0) {
    const count = entities.length === 1 ? '1 entity' : `${entities.length} entities`
    terminal.out(`${printable(database.label)}: ${count}, no difference\n`)
  } else printDifferences(differences, { pending, migration }, terminal)
  return differences.some(({ isAdvice }) => !isAdvice) ? ExitStatus.UserError : ExitStatus.Ok
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

/** Runs the seeds of a project. */
export async function runSeeds(
  { database, folder, environment }: DatabaseCommandContext,
  terminal: Terminal,
): Promise<ExitStatus> {
  const { green, yellow } = terminal.paint
  const skipped = new Map<string, string>()
  const done = await seed(database, folder, {
    environment,
    onSkip: (name, reason) => skipped.set(name, printable(`skipped: ${reason}`)),
  })
  const rows = [...done, ...skipped.keys()].toSorted().map((name) => {
    const reason = skipped.get(name)
    return [printable(name), reason === undefined ? green('done') : yellow(reason)]
  })
  if (rows.length === 0) terminal.out('there are no seeds\n')
  else terminal.out(textTable(['seed', 'state'], rows, terminal))
  return ExitStatus.Ok
}
