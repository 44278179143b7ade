import { resolve } from 'node:path'
import { runChecks } from './checks/run-checks.ts'
import type { NamedFinding } from './checks/run-checks.ts'
import type { LoadedEnvironment } from '../settings/env-source.ts'
import { frameworkScopes } from './framework-settings.ts'
import { loadProject } from './load-project.ts'
import { readSettings } from './read-settings.ts'
import type { ChosenSettings } from './read-settings.ts'

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
  const scopes = [...Object.values(frameworkScopes), ...Object.values(project.configs)]
  const { routeSets } = project
  const settings = { source, server, scopes, routeSets, tls: https }
  const context = { root, ...settings, now: new Date(), asksDatabase }
  const { environment } = source
  return runChecks(context, () => project.checks({ server, environment, root }, source))
}
