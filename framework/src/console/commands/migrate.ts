import { join, resolve } from 'node:path'
import type { Environments } from '../../settings/environments.ts'
import { printable } from '../../base/encoding/printable.ts'
import { MigrationError } from '../../migrations/migration-error.ts'
import { listMigrations } from '../../migrations/migration-file.ts'
import { MigrationStates } from '../../migrations/migration-states.ts'
import type { MigrationStatus } from '../../migrations/migration-states.ts'
import type { MigrationStep } from '../../migrations/migration-error.ts'
import { Migrator } from '../../migrations/migrator.ts'
import type { MigratorOptions } from '../../migrations/migrator.ts'
import { checkSchema } from './migrate-check.ts'
import { enterEnvironment } from '../enter-environment.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import type { Paints } from '../../base/terminal/paints.ts'
import { withProjectDatabase } from '../project-database.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'

/** Subcommands of `framework migrate`. */
export type MigrateAction = 'up' | 'down' | 'status' | 'check' | 'fresh'

/** Options of `framework migrate`. */
export interface MigrateFlags {
  readonly project: string
  readonly environment?: Environments
  readonly steps?: number
  readonly force?: boolean
  /** Stops before a change that blocks others for long. */
  readonly stopOnWarning?: boolean
  /** For `check`: the folder of the entities, and whether to print JSON. */
  readonly entities?: string
  readonly json?: boolean
}

/** Migrates the database of a project, prints the status of its migrations, or checks the entities. */
export async function migrate(
  action: MigrateAction,
  flags: MigrateFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const root = resolve(flags.project)
  const folder = join(root, 'migrations')
  const source = enterEnvironment(root, flags.environment)
  // Before connecting: in the wrong folder, connecting would create a new SQLite file.
  await listMigrations(folder)
  return withProjectDatabase(root, source, async (database) => {
    const migrator = new Migrator(database, folder, { onWarning: warner(flags, terminal) })
    if (action === 'check') {
      const entities = resolve(root, flags.entities ?? 'entities')
      const { json = false } = flags
      return checkSchema({ database, entities, pending: await migrator.pending(), json }, terminal)
    }
    if (action === 'status') {
      terminal.out(`${terminal.paint.dim('database')}  ${printable(database.label)}\n\n`)
      return printStatuses(await migrator.status(), terminal)
    }
    try {
      const steps = await run(action, migrator, flags, source.environment)
      if (steps.length === 0) terminal.out(`${printable(database.label)}: ${nothing[action]}\n`)
      else printSteps(steps, terminal)
      return ExitStatus.Ok
    } catch (thrown) {
      if (thrown instanceof MigrationError && thrown.done.length > 0) {
        printSteps(thrown.done, terminal)
      }
      throw thrown
    }
  })
}

const nothing = {
  up: 'nothing to migrate, everything is applied',
  down: 'nothing to roll back',
  fresh: 'emptied; there are no migrations',
} as const

function run(
  action: Exclude<MigrateAction, 'status' | 'check'>,
  migrator: Migrator,
  { steps, force = false }: MigrateFlags,
  environment: Environments,
): Promise<readonly MigrationStep[]> {
  if (action === 'fresh') return migrator.fresh({ environment, force })
  return action === 'down' ? migrator.down({ steps }) : migrator.up({ steps, force })
}

function warner(
  { stopOnWarning = false }: MigrateFlags,
  terminal: Terminal,
): NonNullable<MigratorOptions['onWarning']> {
  const told = new Set<string>()
  return ({ migration, text }) => {
    if (stopOnWarning) throw new MigrationError(`${text} (--stop-on-warning)`)
    // A migration may be run a second time, without foreign keys.
    if (told.has(text)) return
    told.add(text)
    terminal.err(`${terminal.errorPaint.yellow('warning')} ${migration}: ${printable(text)}\n`)
  }
}

function printSteps(steps: readonly MigrationStep[], terminal: Terminal): void {
  const { bold, green, yellow, dim } = terminal.paint
  const rows = steps.map(({ name, direction, batch, durationMs }) => [
    name,
    direction === 'up' ? green('applied') : yellow('rolled back'),
    String(batch),
    dim(`${Math.round(durationMs)} ms`),
  ])
  terminal.out(textTable(['migration', 'state', 'batch', 'took'], rows, bold))
}

/** The exit status tells whether `up` would refuse to run. */
function printStatuses(statuses: readonly MigrationStatus[], terminal: Terminal): ExitStatus {
  const rows = statuses.map(({ name, state, batch, appliedAt }) => [
    printable(name),
    paintState(state, terminal.paint),
    batch === null ? '' : String(batch),
    appliedAt === null ? '' : `${appliedAt} UTC`,
  ])
  if (rows.length === 0) terminal.out('there are no migrations\n')
  else
    terminal.out(textTable(['migration', 'state', 'batch', 'applied'], rows, terminal.paint.bold))
  return statuses.some(({ state }) => isInconsistent(state)) ? ExitStatus.UserError : ExitStatus.Ok
}

function paintState(state: MigrationStates, { green, yellow, red }: Paints): string {
  if (isInconsistent(state)) return red(state)
  return state === MigrationStates.Applied ? green(state) : yellow(state)
}

function isInconsistent(state: MigrationStates): boolean {
  return state !== MigrationStates.Applied && state !== MigrationStates.Pending
}
