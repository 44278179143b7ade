import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { loadEnvironment } from '../settings/env-source.ts'
import type { LoadedEnvironment } from '../settings/env-source.ts'
import { loggedRepeats, logVariables } from '../logs/logs-settings.ts'
import { given } from '../settings/scope.ts'
import { Environments } from '../settings/environments.ts'
import { createPrivateFolder } from '../base/files/private-files.ts'
import { recordCommand } from './record-command.ts'

/**
 * Loads the settings of a project and sets the environment of this process and its children. Call it
 * before loading any module of the project, which may read the environment.
 */
export function enterEnvironment(
  root: string,
  chosen: Environments | undefined,
): LoadedEnvironment {
  const source = loadEnvironment({ root, environment: chosen })
  process.env['FRAMEWORK_ENVIRONMENT'] = source.environment
  // Stripping types is most of the start-up time. The cache is in the project, not in a shared folder
  // where others could plant code, and only for development, where restarts are frequent.
  const development = source.environment === Environments.Development
  if (development && existsSync(join(root, 'project.ts'))) {
    const folder = join(root, 'storage', 'cache', 'compiled')
    createPrivateFolder(folder)
    enableCompileCache(folder)
    recordCommand(root, repeatsIn(source))
  }
  return source
}

// Invalid text is refused later, with all other settings.
function repeatsIn(source: LoadedEnvironment): number {
  const { nPlusOne } = logVariables
  const set = given(nPlusOne, source)
  const repeats = set === null ? null : (nPlusOne.parse(set.text) ?? null)
  return loggedRepeats(repeats, source.environment)
}
