import { resolve } from 'node:path'
import { Argument, Command, Option } from 'commander'
import type { AccountAction } from '../accounts/accounts-commands.ts'
import { ConfigurationError } from '../base/errors.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import type { ChainAddress } from '../http/router/router-commands.ts'
import type { MigrateAction, MigrateOptions } from '../migrations/migration-commands.ts'
import type { BoundSchedule } from '../project/schedule.ts'
import type { OpenProject } from '../project/start/open-project.ts'
import { ListedStates } from '../queue/job-store.ts'
import type { EjectFlags } from './eject/eject-command.ts'
import type { NewFlags } from './new/new-command.ts'
import { releaseOf } from '../settings/release.ts'
import { packageFolder } from './package-folder.ts'
import {
  chainOption,
  databaseOption,
  environmentOption,
  numberOption,
  projectOption,
  starterOption,
  workersOption,
} from './program-options.ts'
import type { ServeFlags } from './serve-command.ts'
import type * as Projects from './with-project.ts'
import type { ProjectFlags } from './with-project.ts'

/** Receives the exit status of a command. */
export type Ended = (status: number) => void

/**
 * Declares the commands and their options. Each opens its project, and the room of what it works on does
 * the work. All of that is loaded when the command runs: help must not need it.
 */
export function createProgram(terminal: Terminal, ended: Ended): Command {
  const program = emptyProgram(terminal)
  const run: Declaring['run'] =
    (work) =>
    async (...words) =>
      ended(await work(await import('./with-project.ts'), ...words))
  const declaring = { program, terminal, ended, run }
  addServerCommands(declaring)
  addDatabaseCommands(declaring)
  addMakeCommands(declaring)
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
  /** The action of a command: it gets what opens projects, then its words and options. */
  run<Words extends unknown[]>(
    this: void,
    work: (projects: typeof Projects, ...words: Words) => Promise<number>,
  ): (...words: Words) => Promise<void>
}

/** Options of a command that can print JSON. */
interface JsonFlags extends ProjectFlags {
  readonly json?: boolean
}

function emptyProgram(terminal: Terminal): Command {
  const { paint, errorPaint } = terminal
  return new Command('framework')
    .description('Creates, serves and inspects projects.')
    .version(releaseOf('', packageFolder), '-V, --version', 'print the version')
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
    .addOption(numberOption('--port <number>', 'port to listen on (PORT)', 0, 65_535))
    .addOption(workersOption())
    .option('--https', 'serve TLS with a self-signed certificate, for local work')
    .option('--watch', 'restart when a file of the project changes; reload pages in development')
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./serve-command.ts')
      ended(await serve(flags, terminal))
    })

  type RoutesFlags = JsonFlags & { readonly chain?: ChainAddress }
  ofProject(program, 'routes', 'list the routes of the project')
    .argument('[filter]', 'only those with this text in their row: a path, a set, a guard')
    .addOption(chainOption())
    .option('--json', 'print JSON')
    .action(
      run(
        (
          { withServer },
          filter: string | undefined,
          { json = false, chain, ...flags }: RoutesFlags,
        ) =>
          withServer(flags, async ({ server: { router, middlewares } }) => {
            const { listRoutes, printChains } = await import('../http/router/router-commands.ts')
            if (chain === undefined)
              return listRoutes(router, { json, filter: filter ?? '' }, terminal)
            return printChains(router, { middlewares, chain, json }, terminal)
          }),
      ),
    )

  type OpenApiFlags = ProjectFlags & { readonly out?: string; readonly check?: string }
  ofProject(program, 'openapi', 'print the OpenAPI document of the project')
    .option('--out <file>', 'write it to a file')
    .option('--check <file>', 'compare it with a file; exit with 1 if they differ')
    .action(
      run(({ withServer }, { out, check, ...flags }: OpenApiFlags) =>
        withServer(flags, async ({ server, project: { name } }) => {
          const { openApiCommand } = await import('../openapi/openapi-commands.ts')
          return openApiCommand({ server, root: flags.project, name, out, check }, terminal)
        }),
      ),
    )

  ofProject(program, 'config', 'list the effective settings, with secrets masked')
    .option('--json', 'print JSON')
    .action(
      run(async ({ enterEnvironment }, { json = false, project, environment }: JsonFlags) => {
        const source = enterEnvironment(project, environment)
        const { loadProject } = await import('../project/start/load-project.ts')
        const { effectiveSettings } = await import('../project/start/project-settings.ts')
        const { listSettings } = await import('../settings/settings-commands.ts')
        const settings = effectiveSettings(await loadProject(project), source)
        return listSettings({ settings, environment: source.environment, json }, terminal)
      }),
    )

  type CheckFlags = JsonFlags & { readonly deploy?: boolean }
  ofProject(program, 'check', 'look for settings and files that would hurt in production')
    .option(
      '--deploy',
      'ask the database for pending migrations too; exit with 1 if there are errors',
    )
    .option('--json', 'print JSON')
    .action(
      run(async ({ enterEnvironment }, { json = false, deploy = false, ...flags }: CheckFlags) => {
        const { project: root, environment } = flags
        const source = enterEnvironment(root, environment)
        const { checkCommand } = await import('../project/checks/check-commands.ts')
        return checkCommand({ root, source, asksDatabase: deploy }, { json }, terminal)
      }),
    )

  type ProfileFlags = ProjectFlags & { readonly seconds: number }
  ofProject(program, 'profile', 'take a CPU profile of a worker that serves the project')
    .addOption(numberOption('--seconds <number>', 'how long, up to 60', 1, 60).default(10))
    .action(
      run(async (_projects, { project, seconds }: ProfileFlags) => {
        const { profileCommand } = await import('../devtools/profiles/profile-command.ts')
        return profileCommand({ root: resolve(project), seconds }, terminal)
      }),
    )
}

function addDatabaseCommands({ program, terminal, run }: Declaring): void {
  type MigrateFlags = ProjectFlags & Omit<MigrateOptions, 'entities'> & { entities?: string }
  ofProject(program, 'migrate', 'run the migrations in migrations/, or roll them back')
    .addArgument(migrateArgument())
    .addOption(numberOption('--steps <number>', 'maximum number of migrations', 1, 999_999))
    .option('--force', 'up: even if files are late, changed or missing; fresh: even in production')
    .option('--stop-on-warning', 'stop before a change that blocks a big table for long')
    .option('--entities <folder>', 'check: folder of the entities (entities)')
    .option('--json', 'check: print JSON')
    .action(
      run(async ({ withDatabase }, action: MigrateAction, flags: MigrateFlags) => {
        const { migrateCommand } = await import('../migrations/migration-commands.ts')
        const { listMigrations: list } = await import('../migrations/migration-file.ts')
        const entities = resolve(flags.project, flags.entities ?? 'entities')
        return withDatabase(flags, { folder: 'migrations', list }, (context) =>
          migrateCommand(action, context, { ...flags, entities }, terminal),
        )
      }),
    )

  ofProject(program, 'seed', 'fill the database with the rows of seeds/').action(
    run(async ({ withDatabase }, flags: ProjectFlags) => {
      const { runSeeds } = await import('../migrations/migration-commands.ts')
      const { listSeeds: list } = await import('../migrations/seed.ts')
      return withDatabase(flags, { folder: 'seeds', list }, (context) =>
        runSeeds(context, terminal),
      )
    }),
  )

  program
    .command('make:migration')
    .description('write a new migration to fill in')
    .argument('<name>', 'what it does, such as create_posts_table')
    .addOption(projectOption())
    .action(
      run(async (_projects, name: string, { project }: ProjectFlags) => {
        const { makeMigration } = await import('../migrations/make-migration.ts')
        return makeMigration(name, resolve(project), terminal)
      }),
    )
}

function addRunCommand({ program, terminal, ended, run }: Declaring): void {
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

  ofProject(program, 'repl', 'evaluate code with the services of the project').action(
    run(({ withServices }, flags: ProjectFlags) =>
      withServices(flags, { channel: 'repl', output: process.stderr }, async (project) => {
        const { replCommand } = await import('./repl-command.ts')
        return replCommand(project, flags.project, terminal)
      }),
    ),
  )
}

function addScheduleCommands({ program, terminal, run }: Declaring): void {
  const schedule = program.command('schedule').description('run the tasks of the project')
  const channel = 'schedule'

  type RunFlags = ProjectFlags & { readonly once?: boolean }
  ofProject(schedule, 'run', 'run tasks when they are due until stopped, or one of them now')
    .argument('[task]', 'task to run now')
    .option('--once', 'run what is due now, then stop')
    .action(
      run(({ withServices }, task: string | undefined, { once = false, ...flags }: RunFlags) =>
        withServices(flags, { channel, output: process.stdout }, async (project) => {
          const own = await scheduleOf(project)
          const { runSchedule } = await import('../schedule/schedule-commands.ts')
          const { drain, logs } = project
          const log = logs.channel(channel)
          return runSchedule(own, { task: task ?? null, once, log, drain }, terminal)
        }),
      ),
    )

  ofProject(schedule, 'list', 'list the tasks: when they are due, and how they last ended')
    .option('--json', 'print JSON')
    .action(
      run(({ withServices }, { json = false, ...flags }: JsonFlags) =>
        withServices(flags, { channel, output: process.stderr }, async (project) => {
          const own = await scheduleOf(project)
          const { listSchedule } = await import('../schedule/schedule-commands.ts')
          return listSchedule(own, { json }, terminal)
        }),
      ),
    )
}

async function scheduleOf(project: Pick<OpenProject, 'schedule'>): Promise<BoundSchedule> {
  const schedule = await project.schedule()
  if (schedule !== null) return schedule
  throw new ConfigurationError(
    'E_SCHEDULE',
    'the project has no "schedule" in defineProject(); list its tasks there',
  )
}

function addQueueCommands({ program, terminal, run }: Declaring): void {
  const queue = program.command('queue').description('work on the queues of the project')
  const options = { channel: 'queue', output: process.stdout } as const

  type RunFlags = ProjectFlags & { readonly once?: boolean; readonly concurrency?: number }
  ofProject(queue, 'run', 'run the jobs of a queue until stopped')
    .argument('<name>', 'name of the queue')
    .option('--once', 'stop when no job is waiting')
    .addOption(numberOption('--concurrency <number>', 'jobs to run at the same time (1)', 1, 1024))
    .action(
      run(({ withServices }, name: string, flags: RunFlags) =>
        withServices(flags, options, async ({ queues, logs }) => {
          const { runQueue } = await import('../queue/queue-commands.ts')
          const { once = false, concurrency = 1 } = flags
          const log = logs.channel('queue')
          return runQueue(queues(), name, { once, concurrency, log }, terminal)
        }),
      ),
    )

  type ListFlags = JsonFlags & { readonly state: ListedStates }
  ofProject(queue, 'list', 'list the queues and how many jobs they have, or the jobs of one')
    .argument('[name]', 'name of the queue')
    .addOption(
      new Option('--state <state>', 'which jobs of the queue')
        .choices(ListedStates)
        .default(ListedStates[0]),
    )
    .option('--json', 'print JSON')
    .action(
      run(({ withServices }, name: string | undefined, flags: ListFlags) =>
        withServices(flags, options, async ({ queues }) => {
          const { listJobs, listQueues } = await import('../queue/queue-commands.ts')
          const { state, json = false } = flags
          if (name === undefined) return listQueues(queues(), { json }, terminal)
          return listJobs(queues(), name, { state, json }, terminal)
        }),
      ),
    )

  const changes = [
    ['retry', 'retry the dead jobs of a queue, or one of them', '[id]'],
    ['delete', 'delete a job that is not running', '<id>'],
    ['clear', 'delete every job of a queue that is not running, including dead ones', null],
    ['pause', 'let no worker begin a job of a queue until resume', null],
    ['resume', 'let workers begin jobs of a paused queue again', null],
  ] as const
  for (const [action, description, id] of changes) {
    const change = ofProject(queue, action, description).argument('<name>', 'name of the queue')
    if (id !== null) change.argument(id, 'id of the job')
    change.action(
      run(({ withServices }, name: string) =>
        withServices(change.opts<ProjectFlags>(), options, async ({ queues }) => {
          const { changeQueue } = await import('../queue/queue-commands.ts')
          return changeQueue(queues(), action, { name, id: change.args[1] }, terminal)
        }),
      ),
    )
  }
}

function addAccountsCommands({ program, terminal, run }: Declaring): void {
  const accounts = program.command('accounts').description('support the owners of accounts')
  const account = (action: AccountAction, description: string): Command =>
    ofProject(accounts, action, description)
      .argument('<email>', 'e-mail of the account')
      .action(
        run(({ withServices }, email: string, { json = false, ...flags }: JsonFlags) =>
          // stdout is for the output of the command, which may be JSON.
          withServices(flags, { channel: 'accounts', output: process.stderr }, async (project) => {
            const support = project.accounts()
            if (support === null) {
              throw new ConfigurationError(
                'E_PROJECT',
                'the project has no "accounts" in defineProject(); return an AccountSupport there',
              )
            }
            const { accountCommand } = await import('../accounts/accounts-commands.ts')
            return accountCommand(action, support, { email, json }, terminal)
          }),
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

function addUpkeepCommands({ program, terminal, run }: Declaring): void {
  ofProject(
    program,
    'sweep',
    'delete what has expired: tokens, trusted devices, sessions and the like',
  )
    .option('--json', 'print JSON')
    .action(
      run(({ withServices }, { json = false, ...flags }: JsonFlags) =>
        withServices(flags, { channel: 'sweep', output: process.stderr }, async ({ sweeps }) => {
          const { sweepCommand } = await import('../project/sweep-commands.ts')
          return sweepCommand(sweeps(), { json }, terminal)
        }),
      ),
    )

  type ShipFlags = ProjectFlags & {
    readonly folder?: string
    /** Seconds between two exports; without it there is only one. */
    readonly interval?: number
    /** Seconds for which a failed export is retried. */
    readonly retryFor?: number
  }
  ofProject(program, 'ship-metrics', 'send the metrics of the project to an OTLP collector')
    .option('--folder <folder>', 'folder of the snapshots (FRAMEWORK_OBSERVABILITY_DIR)')
    .addOption(numberOption('--interval <seconds>', 'repeat at this interval', 0.1, 86_400))
    .addOption(
      numberOption('--retry-for <seconds>', 'how long to retry (60), 0 for not at all', 0, 86_400),
    )
    .action(
      run(async ({ enterEnvironment }, flags: ShipFlags) => {
        const { folder, interval = null, retryFor } = flags
        const root = resolve(flags.project)
        const source = enterEnvironment(root, flags.environment)
        const { shippingSettings } = await import('../project/shipping-settings.ts')
        const { shipMetricsCommand } = await import('../otlp/otlp-commands.ts')
        const options = {
          ...shippingSettings(root, source),
          ...(folder !== undefined && { folder: resolve(folder) }),
          ...(retryFor !== undefined && { retryFor }),
        }
        return shipMetricsCommand(options, interval, terminal)
      }),
    )
}

function addMakeCommands({ program, terminal, run }: Declaring): void {
  const makes = [
    ['routes', 'a route set with its page and test', 'notes'],
    ['entity', 'an entity and the migration of its table', 'Note'],
    ['command', 'a command of the project and its test', 'notes:prune'],
    ['job', 'a job with its queue and test', 'resize-picture'],
    ['mail', 'a mail with its view and test', 'welcome'],
  ] as const
  for (const [kind, what, example] of makes) {
    const make = program.command(`make:${kind}`).description(`write ${what}`)
    make.argument('<name>', `such as ${example}`)
    if (kind === 'entity') {
      make.argument('[columns...]', 'such as title:string body:text due-on:date:nullable')
      make.option('--table <name>', 'name of the table (the plural)')
    }
    make.addOption(projectOption()).option('--dry-run', 'list the files and write none')
    make.action(
      run(async () => {
        const { makeCommand } = await import('./make/make-command.ts')
        return makeCommand(kind, make.args, make.opts(), terminal)
      }),
    )
  }
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
