import { ConfigurationError } from '../../base/errors.ts'
import { hasCode } from '../../base/files/has-code.ts'

/**
 * Loads a database driver, whose package the project must install.
 * @throws ConfigurationError E_DATABASE_DRIVER that names the package to install.
 */
export async function loadDriver<Module>(
  packageName: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, packageName)) throw error
    throw new ConfigurationError(
      'E_DATABASE_DRIVER',
      `this database needs the package ${packageName}, which is not installed: npm install ${packageName}`,
    )
  }
}

// A missing file of the framework has the same code but is a different defect.
function isMissing(error: unknown, packageName: string): boolean {
  if (!(error instanceof Error)) return false
  if (!hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return false
  return error.message.includes(`'${packageName}'`)
}
