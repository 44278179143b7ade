import { assembleServices } from './assemble-services.ts'
import type { AssembleServicesOptions } from './assemble-services.ts'
import type { Sweeps } from './sweepable.ts'

/** The sweeps of a project. */
export interface AssembledSweeps {
  readonly sweeps: Sweeps
  /** Closes the services in reverse order, then the logs. */
  readonly close: () => Promise<void>
}

/**
 * Loads a project and builds its services without a server, to sweep its stores.
 * @throws ConfigurationError for an invalid project, settings or sweeps.
 */
export async function assembleSweeps(options: AssembleServicesOptions): Promise<AssembledSweeps> {
  const { built, close } = await assembleServices(
    options,
    // stdout is for the output of the command, which may be JSON.
    { channel: 'sweep', output: process.stderr },
    (project, ...context) => project.sweeps(...context),
  )
  return { sweeps: built, close }
}
