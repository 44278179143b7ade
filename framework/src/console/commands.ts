import { resolve } from 'node:path'
import type { AccountAction } from '../accounts/accounts-commands.ts'
import { ConfigurationError } from '../base/errors.ts'
import type { ExitStatus, Terminal } from '../base/terminal/terminal.ts'
import type { ChainAddress } from '../http/router/route-chains.ts'
import type { MigrateAction, MigrateOptions } from '../migrations/migration-commands.ts'
import type { BoundSchedule } from '../project/schedule.ts'
import type { OpenProject } from '../project/start/open-project.ts'
import type { QueueChange } from '../queue/queue-commands.ts'
import { enterEnvironment, withDatabase, withServer, withServices } from './with-project.ts'
import type { ProjectFlags } from './with-project.ts'

// Each command opens its project; the room of what it works on does the work, and is loaded for it.

/** Options of a command that can print JSON. */
export interface JsonFlags extends ProjectFlags {
  readonly json?: boolean
}

/** Options of `framework routes`. */
export interface RoutesFlags extends JsonFlags {
  /** Whose chains are printed instead of the list. */
  readonly chain?: ChainAddress
}

/** `framework routes` */
export function routes(
  terminal: Terminal,
  { json = false, chain, ...flags }: RoutesFlags,
): Promise<ExitStatus> {
  return withServer(flags, async ({ server }) => {
    const { listRoutes, printChains } = await import('../http/router/router-commands.ts')
    const { router, middlewares } = server
    if (chain === undefined) return listRoutes(router, { json }, terminal)
    return printChains(router, { middlewares, chain, json }, terminal)
  })
}

/** Options of `framework openapi`. */
export interface OpenApiFlags extends ProjectFlags {
  readonly out?: string
  readonly check?: string
}

/** `framework openapi` */
export function openapi(
  terminal: Terminal,
  { out, check, ...flags }: OpenApiFlags,
): Promise<ExitStatus> {
  return withServer(flags, async ({ server, project: { name } }) => {
    const { openApiCommand } = await import('../openapi/openapi-commands.ts')
    return openApiCommand({ server, root: flags.project, name, out, check }, terminal)
  })
}

/** `framework config` */
export async function config(
  terminal: Terminal,
  { json = false, ...flags }: JsonFlags,
): Promise<ExitStatus> {
  const source = enterEnvironment(flags.project, flags.environment)
  const { loadProject } = await import('../project/start/load-project.ts')
  const { effectiveSettings } = await import('../project/start/project-settings.ts')
  const { listSettings } = await import('../settings/settings-commands.ts')
  const settings = effectiveSettings(await loadProject(flags.project), source)
  return listSettings({ settings, environment: source.environment, json }, terminal)
}

/** Options of `framework check`. */
export interface CheckFlags extends JsonFlags {
  readonly deploy?: boolean
}

/** `framework check` */
export async function check(terminal: Terminal, flags: CheckFlags): Promise<ExitStatus> {
  const { project: root, environment, deploy = false, json = false } = flags
  const source = enterEnvironment(root, environment)
  const { checkCommand } = await import('../project/checks/check-commands.ts')
  return checkCommand({ root, source, asksDatabase: deploy }, { json }, terminal)
}

/** Options of `framework migrate`. */
export interface MigrateFlags extends ProjectFlags, Omit<MigrateOptions, 'entities'> {
  readonly entities?: string
}

/** `framework migrate` */
export async function migrate(
  terminal: Terminal,
  action: MigrateAction,
  { entities = 'entities', ...flags }: MigrateFlags,
): Promise<ExitStatus> {
  const { migrateCommand } = await import('../migrations/migration-commands.ts')
  const { listMigrations: list } = await import('../migrations/migration-file.ts')
  const options = { ...flags, entities: resolve(flags.project, entities) }
  return withDatabase(flags, { folder: 'migrations', list }, (context) =>
    migrateCommand(action, context, options, terminal),
  )
}

/** `framework seed` */
export async function seed(terminal: Terminal, flags: ProjectFlags): Promise<ExitStatus> {
  const { runSeeds } = await import('../migrations/migration-commands.ts')
  const { listSeeds: list } = await import('../migrations/seed.ts')
  return withDatabase(flags, { folder: 'seeds', list }, (context) => runSeeds(context, terminal))
}

/** `framework make:migration` */
export async function makeMigration(
  terminal: Terminal,
  name: string,
  flags: Pick<ProjectFlags, 'project'>,
): Promise<ExitStatus> {
  const migrations = await import('../migrations/make-migration.ts')
  return migrations.makeMigration(name, resolve(flags.project), terminal)
}

/** Options of `framework schedule run`. */
export interface RunScheduleFlags extends ProjectFlags {
  readonly once?: boolean
}

/** `framework schedule run` */
export function runSchedule(
  terminal: Terminal,
  task: string | undefined,
  { once = false, ...flags }: RunScheduleFlags,
): Promise<ExitStatus> {
  const options = { channel: 'schedule', output: process.stdout }
  return withServices(flags, options, async (project) => {
    const schedule = await scheduleOf(project)
    const commands = await import('../schedule/schedule-commands.ts')
    const log = project.logs.channel('schedule')
    return commands.runSchedule(
      schedule,
      { task: task ?? null, once, log, drain: project.drain },
      terminal,
    )
  })
}

/** `framework schedule list` */
export function listSchedule(
  terminal: Terminal,
  { json = false, ...flags }: JsonFlags,
): Promise<ExitStatus> {
  const options = { channel: 'schedule', output: process.stderr }
  return withServices(flags, options, async (project) => {
    const schedule = await scheduleOf(project)
    const commands = await import('../schedule/schedule-commands.ts')
    return commands.listSchedule(schedule, { json }, terminal)
  })
}

async function scheduleOf(project: Pick<OpenProject, 'schedule'>): Promise<BoundSchedule> {
  const schedule = await project.schedule()
  if (schedule !== null) return schedule
  throw new ConfigurationError(
    'E_SCHEDULE',
    'the project has no "schedule" in defineProject(); list its tasks there',
  )
}

const queueOptions = { channel: 'queue', output: process.stdout } as const

/** Options of `framework queue run`. */
export interface RunQueueFlags extends ProjectFlags {
  readonly once?: boolean
  readonly concurrency?: number
}

/** `framework queue run` */
export function runQueue(
  terminal: Terminal,
  name: string,
  { once = false, concurrency = 1, ...flags }: RunQueueFlags,
): Promise<ExitStatus> {
  return withServices(flags, queueOptions, async ({ queues, logs }) => {
    const commands = await import('../queue/queue-commands.ts')
    const log = logs.channel('queue')
    return commands.runQueue(queues(), name, { once, concurrency, log }, terminal)
  })
}

/** `framework queue list` */
export function listQueues(
  terminal: Terminal,
  { json = false, ...flags }: JsonFlags,
): Promise<ExitStatus> {
  return withServices(flags, queueOptions, async ({ queues }) => {
    const commands = await import('../queue/queue-commands.ts')
    return commands.listQueues(queues(), { json }, terminal)
  })
}

/** `framework queue retry` and `framework queue clear` */
export function changeQueue(
  terminal: Terminal,
  change: QueueChange,
  name: string,
  flags: ProjectFlags,
): Promise<ExitStatus> {
  return withServices(flags, queueOptions, async ({ queues }) => {
    const commands = await import('../queue/queue-commands.ts')
    return commands.changeQueue(queues(), change, name, terminal)
  })
}

/** `framework accounts <action>` */
export function accounts(
  terminal: Terminal,
  action: AccountAction,
  email: string,
  { json = false, ...flags }: JsonFlags,
): Promise<ExitStatus> {
  // stdout is for the output of the command, which may be JSON.
  const options = { channel: 'accounts', output: process.stderr }
  return withServices(flags, options, async (project) => {
    const support = project.accounts()
    if (support === null) {
      throw new ConfigurationError(
        'E_PROJECT',
        'the project has no "accounts" in defineProject(); return an AccountSupport there',
      )
    }
    const { accountCommand } = await import('../accounts/accounts-commands.ts')
    return accountCommand(action, support, { email, json }, terminal)
  })
}

/** `framework sweep` */
export function sweep(
  terminal: Terminal,
  { json = false, ...flags }: JsonFlags,
): Promise<ExitStatus> {
  const options = { channel: 'sweep', output: process.stderr }
  return withServices(flags, options, async ({ sweeps }) => {
    const { sweepCommand } = await import('../project/sweep-commands.ts')
    return sweepCommand(sweeps(), { json }, terminal)
  })
}

/** Options of `framework ship-metrics`. */
export interface ShipMetricsFlags extends ProjectFlags {
  readonly folder?: string
  /** Seconds between two exports; without it there is only one. */
  readonly interval?: number
  /** Seconds for which a failed export is retried. */
  readonly retryFor?: number
}

/** `framework ship-metrics` */
export async function shipMetrics(
  terminal: Terminal,
  flags: ShipMetricsFlags,
): Promise<ExitStatus> {
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
}
