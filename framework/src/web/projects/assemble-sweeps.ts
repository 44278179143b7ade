import { assembleServices } from './assemble-services.ts'
import type { AssembleServicesOptions } from './assemble-services.ts'
import type { Sweeps } from './sweepable.ts'

/** What a project sweeps. */
export interface AssembledSweeps {
  readonly sweeps: Sweeps
  /** Closes the services, the last one first, and the logs. */
  readonly close: () => Promise<void>
}

/**
 * Loads a project and builds its services, without a server: for a process that sweeps.
 * @throws ConfigurationError for what is wrong with the project, its settings or its sweeps.
 */
export async function assembleSweeps(options: AssembleServicesOptions): Promise<AssembledSweeps> {
  const { built, close } = await assembleServices(
    options,
    // The standard output is for what the command prints, which may be JSON.
    { channel: 'sweep', output: process.stderr },
    (project, ...place) => project.sweeps(...place),
  )
  return { sweeps: built, close }
}
