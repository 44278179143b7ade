import { Environments } from '../../app/environments/environments.ts'
import type { EnvTexts } from '../../app/config/env-source.ts'
import { assembleProject } from '../projects/assemble-project.ts'
import type { Project } from '../projects/project.ts'
import type { InjectedAnswer, InjectedRequest } from '../server/inject.ts'

/** How a project is put up for tests. */
export interface ProjectServerOptions {
  /** Folder of a project that is handed in itself; the current one unless given. */
  readonly root?: string
  /** `test` unless given. */
  readonly environment?: Environments
  /** Settings on top of those of the process. */
  readonly env?: EnvTexts
}

/** A project that answers injected requests. */
export interface ProjectServer {
  /** Runs a request through the whole project without a socket. */
  inject(request: InjectedRequest): Promise<InjectedAnswer>
  /** Closes the services. */
  close(): Promise<void>
}

/**
 * Puts up a project, or that of a folder, for tests: in the test environment, in this process,
 * silent and without a port. Close it when the tests are done.
 * @throws ConfigurationError for what is wrong with the project or its settings.
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
