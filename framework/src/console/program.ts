import { Argument, Command } from 'commander'
import type { AccountAction } from '../accounts/accounts-commands.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import type { MigrateAction } from '../migrations/migration-commands.ts'
import type { QueueChange } from '../queue/queue-commands.ts'
import type * as Commands from './commands.ts'
import type { EjectFlags } from './eject/eject-command.ts'
import type { NewFlags } from './new/new-command.ts'
import { packageVersion } from './package-folder.ts'
import {
  chainOption,
  concurrencyOption,
  databaseOption,
  environmentOption,
  intervalOption,
  portOption,
  projectOption,
  retryForOption,
  starterOption,
  stepsOption,
  workersOption,
} from './program-options.ts'
import type { ServeFlags } from './serve-command.ts'
import type { ProjectFlags } from './with-project.ts'

/** Receives the exit status of a command. */
export type Ended = (status: number) => void

/** Declares the commands and their options. The code of a command is loaded when it runs. */
export function createProgram(terminal: Terminal, ended: Ended): Command {
  const program = emptyProgram(terminal)
  const run: Declaring['run'] =
    (pick) =>
    async (...words) =>
      ended(await pick(await import('./commands.ts'))(terminal, ...words))
  const declaring = { program, terminal, ended, run }
  addServerCommands(declaring)
  addDatabaseCommands(declaring)
  addRunCommand(declaring)
  addScheduleCommands(declaring)
  addQueueCommands(declaring)
  addAccountsCommands(declaring)
  addUpkeepCommands(declaring)
  addNewCommand(declaring)
  addEjectCommand(declaring)
  return program
}

/** What is needed to declare commands. */
interface Declaring {
  readonly program: Command
  readonly terminal: Terminal
  readonly ended: Ended
  /** The action of a command, from the function that it calls with the terminal first. */
  run<Words extends unknown[]>(
    this: void,
    pick: (commands: typeof Commands) => (terminal: Terminal, ...words: Words) => Promise<number>,
  ): (...words: Words) => Promise<void>
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

function addServerCommands({ program, terminal, ended, run }: Declaring): void {
  ofProject(program, 'serve', 'serve the project')
    .option('--host <address>', 'address to listen on (HOST)')
    .addOption(portOption())
    .addOption(workersOption())
    .option('--https', 'serve TLS with a self-signed certificate, for local work')
    .option('--watch', 'restart when a file of the project changes; reload pages in development')
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./serve-command.ts')
      ended(await serve(flags, terminal))
    })

  ofProject(program, 'routes', 'list the routes of the project')
    .addOption(chainOption())
    .option('--json', 'print JSON')
    .action(run((commands) => commands.routes))

  ofProject(program, 'openapi', 'print the OpenAPI document of the project')
    .option('--out <file>', 'write it to a file')
    .option('--check <file>', 'compare it with a file; exit with 1 if they differ')
    .action(run((commands) => commands.openapi))

  ofProject(program, 'config', 'list the effective settings, with secrets masked')
    .option('--json', 'print JSON')
    .action(run((commands) => commands.config))

  ofProject(program, 'check', 'look for settings and files that would hurt in production')
    .option(
      '--deploy',
      'ask the database for pending migrations too; exit with 1 if there are errors',
    )
    .option('--json', 'print JSON')
    .action(run((commands) => commands.check))
}

function addDatabaseCommands({ program, run }: Declaring): void {
  ofProject(program, 'migrate', 'run the migrations in migrations/, or roll them back')
    .addArgument(migrateArgument())
    .addOption(stepsOption())
    .option('--force', 'up: even if files are late, changed or missing; fresh: even in production')
    .option('--stop-on-warning', 'stop before a change that blocks a big table for long')
    .option('--entities <folder>', 'check: folder of the entities (entities)')
    .option('--json', 'check: print JSON')
    .action(run((commands) => commands.migrate))

  ofProject(program, 'seed', 'fill the database with the rows of seeds/').action(
    run((commands) => commands.seed),
  )

  program
    .command('make:migration')
    .description('write a new migration to fill in')
    .argument('<name>', 'what it does, such as create_posts_table')
    .addOption(projectOption())
    .action(run((commands) => commands.makeMigration))
}

function addRunCommand({ program, terminal, ended }: Declaring): void {
  const own = ofProject(program, 'run', 'run a command of the project, or list them')
    .usage('[options] [command] [arguments...]')
    .argument('[words...]', 'command with its arguments; `--help` after it explains it')
    // The options of the command are not known before the project is loaded; `--help` is one of them.
    .allowUnknownOption()
    .helpOption(false)
  own.action(async (words: readonly string[], flags: ProjectFlags) => {
    const [first] = words
    if (first === '--help' || first === '-h') return own.outputHelp()
    const { runProjectCommand } = await import('./run-command.ts')
    ended(await runProjectCommand(words, flags, { terminal, parent: own }))
  })
}

function addScheduleCommands({ program, run }: Declaring): void {
  const schedule = program.command('schedule').description('run the tasks of the project')

  ofProject(schedule, 'run', 'run tasks when they are due until stopped, or one of them now')
    .argument('[task]', 'task to run now')
    .option('--once', 'run what is due now, then stop')
    .action(run((commands) => commands.runSchedule))

  ofProject(schedule, 'list', 'list the tasks: when they are due, and how they last ended')
    .option('--json', 'print JSON')
    .action(run((commands) => commands.listSchedule))
}

function addQueueCommands({ program, run }: Declaring): void {
  const queue = program.command('queue').description('work on the queues of the project')

  ofProject(queue, 'run', 'run the jobs of a queue until stopped')
    .argument('<name>', 'name of the queue')
    .option('--once', 'stop when no job is waiting')
    .addOption(concurrencyOption())
    .action(run((commands) => commands.runQueue))

  ofProject(queue, 'list', 'list the queues: waiting, delayed, running and dead jobs')
    .option('--json', 'print JSON')
    .action(run((commands) => commands.listQueues))

  const change = (action: QueueChange, description: string): Command =>
    ofProject(queue, action, description)
      .argument('<name>', 'name of the queue')
      .action(
        run(
          (commands) => (own, name: string, flags: ProjectFlags) =>
            commands.changeQueue(own, action, name, flags),
        ),
      )

  change('retry', 'retry the dead jobs of a queue')
  change('clear', 'delete every job of a queue that is not running, including dead ones')
}

function addAccountsCommands({ program, run }: Declaring): void {
  const accounts = program.command('accounts').description('support the owners of accounts')
  const account = (action: AccountAction, description: string): Command =>
    ofProject(accounts, action, description)
      .argument('<email>', 'e-mail of the account')
      .action(
        run(
          (commands) => (own, email: string, flags: Commands.JsonFlags) =>
            commands.accounts(own, action, email, flags),
        ),
      )

  account('show', 'show everything that can open an account, and its last event').option(
    '--json',
    'print JSON',
  )
  account('sessions', 'list where an account is signed in').option('--json', 'print JSON')
  account('end', 'end all sessions, devices and API tokens of an account')
  account('suspend', 'sign an account out everywhere and let nobody in')
  account('restore', 'let the owner of a suspended account in again')
  account('unlock', 'remove the second factors of an account whose owner has lost them')
}

function addUpkeepCommands({ program, run }: Declaring): void {
  ofProject(
    program,
    'sweep',
    'delete what has expired: tokens, trusted devices, sessions and the like',
  )
    .option('--json', 'print JSON')
    .action(run((commands) => commands.sweep))

  ofProject(program, 'ship-metrics', 'send the metrics of the project to an OTLP collector')
    .option('--folder <folder>', 'folder of the snapshots (FRAMEWORK_OBSERVABILITY_DIR)')
    .addOption(intervalOption())
    .addOption(retryForOption())
    .action(run((commands) => commands.shipMetrics))
}

function addNewCommand({ program, terminal, ended }: Declaring): void {
  program
    .command('new')
    .description('create a new project')
    .argument('[folder]', 'folder of the project; asked for on a terminal')
    .option('--name <name>', 'name of the project (the name of the folder)')
    .addOption(databaseOption())
    .addOption(starterOption())
    .option('--force', 'write into a folder that is not empty')
    .action(async (folder: string | undefined, flags: NewFlags) => {
      const { newProject } = await import('./new/new-command.ts')
      ended(await newProject(folder, flags, terminal))
    })
}

function addEjectCommand({ program, terminal, ended }: Declaring): void {
  program
    .command('eject')
    .description('copy a built-in view, mail or all of accounts into the project, to change it')
    .argument('[name]', 'accounts/login, mails/verify, …, or accounts for everything')
    .addOption(projectOption())
    .option('--status', 'tell which copies are older than the framework, and what has changed')
    .option('--force', 'replace files of the project')
    .option('--keep', 'leave files of the project as they are, and count them as current copies')
    .action(async (name: string | undefined, flags: EjectFlags) => {
      const { ejectCommand } = await import('./eject/eject-command.ts')
      ended(ejectCommand(name, flags, terminal))
    })
}

/** Adds a command about a project. */
function ofProject(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .addOption(projectOption())
    .addOption(environmentOption())
}

// Here rather than in the command: help must not load the database code.
function migrateArgument(): Argument {
  const actions: readonly MigrateAction[] = ['up', 'down', 'status', 'check', 'fresh']
  const meaning =
    'apply pending ones, roll back the last batch, list, compare the entities with the database, or drop all tables and reapply'
  return new Argument('[action]', meaning).choices(actions).default('up')
}
