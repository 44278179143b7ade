import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Environments } from '../settings/environments.ts'
import type { EnvTexts } from '../settings/env-source.ts'
import { defaultRepeats } from '../logs/logs-settings.ts'
import { ConfigurationError } from '../base/errors.ts'
import { assembleProject } from '../project/start/assemble-project.ts'
import type { InstalledParts } from '../project/boot.ts'
import type { Project } from '../project/project.ts'
import type { RequestIdentity } from '../http/request/request.ts'
import type { InjectedResponse, InjectedRequest } from '../http/server/inject.ts'
import { ActingAs } from './acting-as.ts'
import { refuseRepeats } from './refuse-repeats.ts'
import { TestClock } from './test-clock.ts'
import { TestCommands } from '../project/command-testing.ts'
import { TestEvents } from './test-events.ts'
import { TestMails } from '../mail/mail-testing.ts'
import { TestQueues } from '../queue/queue-testing.ts'
import { TestSchedule } from '../schedule/schedule-testing.ts'
import { Visitor } from './visitor.ts'
import type { VisitorOptions } from './visitor.ts'

/** Options of `projectServer`. */
export interface ProjectServerOptions<Services extends object = object> {
  /** Folder of a project passed as an object. @default the current folder */
  readonly root?: string
  /** @default 'test' */
  readonly environment?: Environments
  /** Settings in addition to those of the process. */
  readonly env?: EnvTexts
  /**
   * `n+1` makes `inject` reject if a request sends the same statement from the same line `N_PLUS_ONE`
   * times, by default four. @default nothing is refused
   */
  readonly refuse?: 'n+1'
  /**
   * Services that routes, middlewares and queues get instead of those that the project has built, or a
   * function that makes them. A service that the project has built on another one keeps that one.
   */
  readonly services?: Partial<Services> | ((built: Services) => Partial<Services>)
  /** Options of every visitor, such as the page with their CSRF token. */
  readonly visitors?: VisitorOptions
  /** Writes every text of a catalogue between ⟦ and ⟧, so that a test finds those that are in none. @default false */
  readonly marksTexts?: boolean
}

/** A project under test. */
export interface ProjectServer<Services extends object = object> {
  /** The services that the routes have. */
  readonly services: Services
  /** The mails it has written, as it does without `MAIL_HOST`, to its own folder for files. */
  readonly mails: TestMails
  /** Runs its commands. */
  readonly commands: TestCommands
  /** The jobs it has pushed. */
  readonly queues: TestQueues
  /** Runs the tasks of its schedule. */
  readonly schedule: TestSchedule
  /** Records events that are emitted. */
  readonly events: TestEvents
  /** Runs a request through the whole project without a socket. */
  inject(request: InjectedRequest): Promise<InjectedResponse>
  /** A new browser. */
  visitor(options?: VisitorOptions): Visitor
  /**
   * A new browser in which this account is signed in, without a password and whatever its factors are.
   * @throws ConfigurationError outside the environment `test`, or without sessions.
   */
  actingAs(identity: RequestIdentity, options?: VisitorOptions): Promise<Visitor>
  /**
   * Moves the clock of this process by some seconds, until this project is closed: sessions, tokens,
   * limits, caches, signed URLs, delayed jobs, tasks and `boot.clock` follow, timers do not. Returns
   * a function that takes it back, for `t.after`: other projects of the process travel along.
   * @throws ConfigurationError outside the environment `test`, or while something is connected to Redis.
   */
  travel(seconds: number): () => void
  /** Closes the services. */
  close(): Promise<void>
}

/**
 * Starts a project, or that of a folder, for tests: in the test environment, in this process, without
 * output and without a port. Close it when the tests are done.
 * @throws ConfigurationError for an invalid project or invalid settings.
 */
export async function projectServer<Services extends object = object>(
  project: string | Project<Services>,
  options: ProjectServerOptions<NoInfer<Services>> = {},
): Promise<ProjectServer<Services>> {
  const { environment = Environments.Test, env = {}, refuse } = options
  const root = typeof project === 'string' ? project : (options.root ?? '.')
  // Test files run at the same time, and next to a server of whoever writes them.
  const storageFolder = await mkdtemp(join(tmpdir(), 'storage-'))
  const ownFiles = { FRAMEWORK_OBSERVABILITY_DIR: join(storageFolder, 'observability') }
  const installed: { parts: InstalledParts<Services> | null } = { parts: null }
  const { server, settings, logs } = await assembleProject({
    root,
    ...(typeof project !== 'string' && { project }),
    environment,
    env: { LOG_LEVEL: 'silent', ...ownFiles, ...process.env, ...env },
    workers: 1,
    tested: {
      storageFolder,
      marksTexts: options.marksTexts === true,
      replaceServices: (built: Services) => withReplacements(built, options.services),
      onInstall: (parts: InstalledParts<Services>) => void (installed.parts = parts),
    },
  }).catch(async (error: unknown) => {
    await rm(storageFolder, { recursive: true, force: true })
    throw error
  })
  const { parts } = installed
  if (parts === null) throw new TypeError('unreachable: a project without workers is installed')
  const isTest = environment === Environments.Test
  const entry = isTest ? new ActingAs(server) : null
  const clock = new TestClock()
  const events = new TestEvents()
  const mails = new TestMails(join(storageFolder, 'mails'))
  const queues = new TestQueues(parts.queues)
  const commands = new TestCommands(parts.commands, logs.channel('command'))
  const tasks = (await parts.schedule())?.tasks ?? []
  const schedule = await TestSchedule.open(tasks, logs.channel('schedule'))
  const plain: ProjectServer['inject'] = (request) => server.inject(request)
  const min = settings.nPlusOne || defaultRepeats
  const watch = refuse === undefined ? null : refuseRepeats(plain, { min, root: resolve(root) })
  if (watch !== null) server.onClose(watch.stop)
  const site = { inject: watch?.inject ?? plain }
  const visitor = (given?: VisitorOptions): Visitor =>
    new Visitor(site, { ...options.visitors, ...given })
  return {
    ...site,
    services: parts.services,
    mails,
    commands,
    queues,
    schedule,
    events,
    visitor,
    async actingAs(identity, given) {
      if (entry === null) throw onlyInTests('actingAs()', environment)
      const signedIn = visitor(given)
      await entry.signIn(signedIn, identity)
      return signedIn
    },
    travel(seconds) {
      if (!isTest) throw onlyInTests('travel()', environment)
      return clock.travel(seconds)
    },
    async close() {
      try {
        await server.close()
      } finally {
        clock.return()
        events.close()
        queues.close()
        // Mails can still be read.
        await mails.all()
        await rm(storageFolder, { recursive: true, force: true })
      }
    },
  }
}

function withReplacements<Services extends object>(
  built: Services,
  given: ProjectServerOptions<Services>['services'],
): Services {
  if (given === undefined) return built
  const chosen: Partial<Services> =
    typeof given === 'function' ? Reflect.apply(given, undefined, [built]) : given
  return { ...built, ...chosen }
}

function onlyInTests(what: string, environment: Environments): ConfigurationError {
  return new ConfigurationError(
    'E_TEST_ONLY',
    `${what} works in the environment test only, and this project runs in ${environment}`,
  )
}
