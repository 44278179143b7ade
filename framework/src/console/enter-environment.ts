import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { loadEnvironment } from '../app/config/env-source.ts'
import type { EnvSource } from '../app/config/env-source.ts'
import { Environments } from '../app/environments/environments.ts'

/**
 * Loads the settings of a project and fixes the environment of this process and of those it
 * starts. Comes before any module of the project is loaded, which may ask for it.
 */
export function enterEnvironment(root: string, chosen: Environments | undefined): EnvSource {
  const source = loadEnvironment({ root, environment: chosen })
  process.env['FRAMEWORK_ENVIRONMENT'] = source.environment
  // Reading TypeScript anew is most of a start. Kept in the project, never in a shared folder where
  // others could plant code; and only where starts are many.
  const development = source.environment === Environments.Development
  if (development && existsSync(join(root, 'project.ts'))) {
    enableCompileCache(join(root, 'storage', 'cache', 'compiled'))
  }
  return source
}
