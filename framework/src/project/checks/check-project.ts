import { resolve } from 'node:path'
import { maskText } from '../../base/mask-text.ts'
import { toError } from '../../base/to-error.ts'
import type { LoadedEnvironment } from '../../settings/env-source.ts'
import { loadProject } from '../start/load-project.ts'
import { allScopes, readSettings } from '../start/project-settings.ts'
import type { ChosenSettings } from '../start/project-settings.ts'
import { warning } from './check.ts'
import type { Check, CheckContext, Finding } from './check.ts'
import {
  checkClock,
  checkMessages,
  checkPublicFiles,
  checkSecretFiles,
  checkWritableFolders,
} from './files-checks.ts'
import { checkDatabase, checkMail, checkMigrations, checkRedis } from './services-checks.ts'
import {
  checkApplicationKey,
  checkAppUrl,
  checkCookies,
  checkEnvironment,
  checkMetrics,
  checkProxies,
  checkSessions,
  checkVariables,
  checkVerification,
} from './settings-checks.ts'

/** The checks of the framework by name; projects add their own. */
export const checks: Readonly<Record<string, Check>> = {
  'app-url': checkAppUrl,
  key: checkApplicationKey,
  'secret-files': checkSecretFiles,
  database: checkDatabase,
  redis: checkRedis,
  mail: checkMail,
  environment: checkEnvironment,
  variables: checkVariables,
  proxies: checkProxies,
  metrics: checkMetrics,
  cookies: checkCookies,
  verification: checkVerification,
  sessions: checkSessions,
  'public-files': checkPublicFiles,
  folders: checkWritableFolders,
  clock: checkClock,
  migrations: checkMigrations,
  messages: checkMessages,
}

/** Options of `checkProject`. */
export interface CheckProjectOptions extends ChosenSettings {
  /** Folder of the project. */
  readonly root: string
  readonly source: LoadedEnvironment
  /** Whether checks may connect to the database. @default false */
  readonly asksDatabase?: boolean
}

/**
 * Looks for what would hurt a project in production. It builds no service, changes nothing, and opens a
 * connection only with `asksDatabase`.
 * @throws ConfigurationError for an invalid project or invalid settings.
 */
export async function checkProject(options: CheckProjectOptions): Promise<NamedFinding[]> {
  const { source, https = false, asksDatabase = false } = options
  const root = resolve(options.root)
  const project = await loadProject(root)
  const server = readSettings(project, source, options)
  const { routeSets, modules } = project
  const settings = { source, server, scopes: allScopes(project), routeSets, tls: https }
  const migrations = await modules.migrations()
  const context = {
    root,
    ...settings,
    migrations,
    messages: project.languages.problems(),
    now: new Date(),
    asksDatabase,
  }
  const { environment } = source
  return runChecks(context, () => project.checks({ server, environment, root }, source))
}

/** A finding and the name of the check that found it. */
export interface NamedFinding extends Finding {
  readonly check: string
}

/** Returns the findings of a project. */
export type ProjectChecks = () => readonly Finding[] | Promise<readonly Finding[]>

/**
 * Runs all checks of the framework, then those of the project as the check `project`. Errors come
 * first, notes last. A check that fails is itself a finding: one broken check must not hide the others.
 */
export async function runChecks(
  context: CheckContext,
  projectChecks: ProjectChecks = () => [],
): Promise<NamedFinding[]> {
  const all: readonly (readonly [string, ProjectChecks])[] = [
    ...Object.entries(checks).map(([name, check]) => [name, () => check(context)] as const),
    ['project', projectChecks],
  ]
  const found: NamedFinding[] = []
  for (const [check, run] of all) {
    for (const { level, what, why, fix } of await findingsOf(check, run)) {
      found.push({ check, level, what, why, fix })
    }
  }
  const ofLevel = (wanted: Finding['level']): NamedFinding[] =>
    found.filter(({ level }) => level === wanted)
  return [...ofLevel('error'), ...ofLevel('warning'), ...ofLevel('note')]
}

async function findingsOf(name: string, run: ProjectChecks): Promise<readonly Finding[]> {
  try {
    return await run()
  } catch (thrown) {
    const what = `the check ${name} failed: ${maskText(toError(thrown).message)}`
    return [warning(what, 'what it looks for is not known', 'fix what the message names')]
  }
}
