import { resolve } from 'node:path'
import { Environments } from '../../app/environments/environments.ts'
import type { EnvTexts } from '../../app/config/env-source.ts'
import { usualRepeats } from '../../app/config/log-variables.ts'
import { assembleProject } from '../projects/assemble-project.ts'
import type { Project } from '../projects/project.ts'
import type { InjectedAnswer, InjectedRequest } from '../server/inject.ts'
import { refuseRepeats } from './refuse-repeats.ts'

/** Options of `projectServer`. */
export interface ProjectServerOptions {
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
}

/** A project under test. */
export interface ProjectServer {
  /** Runs a request through the whole project without a socket. */
  inject(request: InjectedRequest): Promise<InjectedAnswer>
  /** Closes the services. */
  close(): Promise<void>
}

/**
 * Starts a project, or that of a folder, for tests: in the test environment, in this process, without
 * output and without a port. Close it when the tests are done.
 * @throws ConfigurationError for an invalid project or invalid settings.
 */
export async function projectServer(
  project: string | Project,
  options: ProjectServerOptions = {},
): Promise<ProjectServer> {
  const { environment = Environments.Test, env = {}, refuse } = options
  const root = typeof project === 'string' ? project : (options.root ?? '.')
  const { server, settings } = await assembleProject({
    root,
    ...(typeof project !== 'string' && { project }),
    environment,
    env: { LOG_LEVEL: 'silent', ...process.env, ...env },
    workers: 1,
  })
  const inject: ProjectServer['inject'] = (request) => server.inject(request)
  if (refuse === undefined) return { inject, close: () => server.close() }
  const min = settings.nPlusOne || usualRepeats
  const watch = refuseRepeats(inject, { min, root: resolve(root) })
  server.onClose(watch.stop)
  return { inject: watch.inject, close: () => server.close() }
}
