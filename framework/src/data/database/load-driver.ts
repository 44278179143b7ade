import { ConfigurationError } from '../../base/errors.ts'
import { hasCode } from '../../base/files/has-code.ts'

/**
 * Loads the driver of a database, whose package the project installs itself.
 * @throws ConfigurationError E_DATABASE_DRIVER that says what to install.
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

// A file of ours that is missing has the same code and is another defect.
function isMissing(error: unknown, packageName: string): boolean {
  if (!(error instanceof Error)) return false
  if (!hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return false
  return error.message.includes(`'${packageName}'`)
}
