import { Environments } from '../../app/environments/environments.ts'
import type { EnvTexts } from '../../app/config/env-source.ts'
import { assembleProject } from '../projects/assemble-project.ts'
import type { Project } from '../projects/project.ts'
import type { InjectedAnswer, InjectedRequest } from '../server/inject.ts'

/** Options of `projectServer`. */
export interface ProjectServerOptions {
  /** Folder of a project passed as an object. @default the current folder */
  readonly root?: string
  /** @default 'test' */
  readonly environment?: Environments
  /** Settings in addition to those of the process. */
  readonly env?: EnvTexts
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
  { root = '.', environment = Environments.Test, env = {} }: ProjectServerOptions = {},
): Promise<ProjectServer> {
  const { server } = await assembleProject({
    ...(typeof project === 'string' ? { root: project } : { root, project }),
    environment,
    env: { LOG_LEVEL: 'silent', ...process.env, ...env },
    workers: 1,
  })
  return {
    inject: (request) => server.inject(request),
    close: () => server.close(),
  }
}
