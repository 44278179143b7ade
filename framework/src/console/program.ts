import { Argument, Command } from 'commander'
import { addAccountsCommands } from './accounts-program.ts'
import type { CheckFlags } from './commands/check.ts'
import type { ConfigFlags } from './commands/config.ts'
import type { MakeMigrationFlags } from './commands/make-migration.ts'
import type { MigrateAction, MigrateFlags } from './commands/migrate.ts'
import type { NewFlags } from './commands/new.ts'
import {
  databaseOption,
  minimalOption,
  starterOption,
  withoutOption,
} from './commands/new-options.ts'
import type { OpenApiFlags } from './commands/openapi.ts'
import type { RoutesFlags } from './commands/routes.ts'
import type { SeedFlags } from './commands/seed.ts'
import type { ServeFlags } from './commands/serve.ts'
import type { ShipMetricsFlags } from './commands/ship-metrics.ts'
import type { SweepFlags } from './commands/sweep.ts'
import { packageVersion } from './package-folder.ts'
import {
  chainOption,
  environmentOption,
  intervalOption,
  retryForOption,
  portOption,
  projectOption,
  stepsOption,
  workersOption,
} from './program-options.ts'
import { addQueueCommands } from './queue-program.ts'
import { addRunCommand } from './run/run-program.ts'
import { addScheduleCommands } from './schedule/schedule-program.ts'
import type { Terminal } from '../base/terminal/terminal.ts'

/** Receives the exit status of a command. */
export type Ended = (status: number) => void

/** Declares the commands and their options. The code of a command is loaded when it runs. */
export function createProgram(terminal: Terminal, ended: Ended): Command {
  const program = emptyProgram(terminal)

  program
    .command('serve')
    .description('serve the project')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option('--host <address>', 'address to listen on (HOST)')
    .addOption(portOption())
    .addOption(workersOption())
    .option('--https', 'serve TLS with a self-signed certificate, for local work')
    .option('--watch', 'restart when a file of the project changes; reload pages in development')
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./commands/serve.ts')
      ended(await serve(flags, terminal))
    })

  program
    .command('routes')
    .description('list the routes of the project')
    .addOption(projectOption())
    .addOption(environmentOption())
    .addOption(chainOption())
    .option('--json', 'print JSON')
    .action(async (flags: RoutesFlags) => {
      const { routes } = await import('./commands/routes.ts')
      ended(await routes(flags, terminal))
    })

  program
    .command('openapi')
    .description('print the OpenAPI document of the project')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option('--out <file>', 'write it to a file')
    .option('--check <file>', 'compare it with a file; exit with 1 if they differ')
    .action(async (flags: OpenApiFlags) => {
      const { openapi } = await import('./commands/openapi.ts')
      ended(await openapi(flags, terminal))
    })

  program
    .command('config')
    .description('list the effective settings, with secrets masked')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option('--json', 'print JSON')
    .action(async (flags: ConfigFlags) => {
      const { config } = await import('./commands/config.ts')
      ended(await config(flags, terminal))
    })

  program
    .command('check')
    .description('look for settings and files that would hurt in production')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option(
      '--deploy',
      'ask the database for pending migrations too; exit with 1 if there are errors',
    )
    .option('--json', 'print JSON')
    .action(async (flags: CheckFlags) => {
      const { check } = await import('./commands/check.ts')
      ended(await check(flags, terminal))
    })

  program
    .command('migrate')
    .description('run the migrations in migrations/, or roll them back')
    .addArgument(migrateArgument())
    .addOption(projectOption())
    .addOption(environmentOption())
    .addOption(stepsOption())
    .option('--force', 'up: even if files are late, changed or missing; fresh: even in production')
    .option('--stop-on-warning', 'stop before a change that blocks a big table for long')
    .option('--entities <folder>', 'check: folder of the entities (entities)')
    .option('--json', 'check: print JSON')
    .action(async (action: MigrateAction, flags: MigrateFlags) => {
      const { migrate } = await import('./commands/migrate.ts')
      ended(await migrate(action, flags, terminal))
    })

  program
    .command('seed')
    .description('fill the database with the rows of seeds/')
    .addOption(projectOption())
    .addOption(environmentOption())
    .action(async (flags: SeedFlags) => {
      const { seedProject } = await import('./commands/seed.ts')
      ended(await seedProject(flags, terminal))
    })

  program
    .command('make:migration')
    .description('write a new migration to fill in')
    .argument('<name>', 'what it does, such as create_posts_table')
    .addOption(projectOption())
    .action(async (name: string, flags: MakeMigrationFlags) => {
      const { makeMigration } = await import('./commands/make-migration.ts')
      ended(await makeMigration(name, flags, terminal))
    })

  addRunCommand(program, terminal, ended)
  addScheduleCommands(program, terminal, ended)
  addQueueCommands(program, terminal, ended)
  addAccountsCommands(program, terminal, ended)

  program
    .command('sweep')
    .description('delete what has expired: tokens, trusted devices, sessions and the like')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option('--json', 'print JSON')
    .action(async (flags: SweepFlags) => {
      const { sweepProject } = await import('./commands/sweep.ts')
      ended(await sweepProject(flags, terminal))
    })

  program
    .command('ship-metrics')
    .description('send the metrics of the project to an OTLP collector')
    .addOption(projectOption())
    .addOption(environmentOption())
    .option('--folder <folder>', 'folder of the snapshots (FRAMEWORK_OBSERVABILITY_DIR)')
    .addOption(intervalOption())
    .addOption(retryForOption())
    .action(async (flags: ShipMetricsFlags) => {
      const { shipProjectMetrics } = await import('./commands/ship-metrics.ts')
      ended(await shipProjectMetrics(flags, terminal))
    })

  program
    .command('new')
    .description('create a new project')
    .argument('[folder]', 'folder of the project; asked for on a terminal')
    .option('--name <name>', 'name of the project (the name of the folder)')
    .addOption(databaseOption())
    .addOption(withoutOption())
    .addOption(starterOption())
    .addOption(minimalOption())
    .option('--force', 'write into a folder that is not empty')
    .action(async (folder: string | undefined, flags: NewFlags) => {
      const { newProject } = await import('./commands/new.ts')
      ended(await newProject(folder, flags, terminal))
    })

  return program
}

// Here rather than in the command: help must not load the database code.
function migrateArgument(): Argument {
  const actions: readonly MigrateAction[] = ['up', 'down', 'status', 'check', 'fresh']
  const meaning =
    'apply pending ones, roll back the last batch, list, compare the entities with the database, or drop all tables and reapply'
  return new Argument('[action]', meaning).choices(actions).default('up')
}

function emptyProgram(terminal: Terminal): Command {
  const { paint, errorPaint } = terminal
  return new Command('framework')
    .description('Creates, serves and inspects projects.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('--verbose', 'print the stack of every error')
    .helpCommand('help [command]', 'explain a command')
    .helpOption('-h, --help', 'explain the command')
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      outputError: (text, write) => write(text.replace(/^error:/, errorPaint.red('error'))),
    })
    .configureHelp({ styleTitle: (title) => paint.bold(title) })
    .showHelpAfterError('See framework help for the commands and their options.')
    .exitOverride()
}
