import { loadOptional } from '../base/load-optional.ts'

/**
 * Loads a database driver, whose package the project must install.
 * @throws ConfigurationError E_DATABASE_DRIVER that names the package to install.
 */
export function loadDriver<Module>(
  packageName: string,
  load: () => Promise<Module>,
): Promise<Module> {
  const message = `this database needs the package ${packageName}, which is not installed: npm install ${packageName}`
  return loadOptional({ names: [packageName], code: 'E_DATABASE_DRIVER', message }, load)
}
