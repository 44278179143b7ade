import { Environments } from './environments.ts'

/** The environment this process was started in; read once, at boot. */
export const FRAMEWORK_ENVIRONMENT: Environments = Environments.fetch(
  process.env['FRAMEWORK_ENVIRONMENT'],
)
