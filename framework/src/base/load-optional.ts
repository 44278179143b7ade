import { ConfigurationError, hasCode } from './errors.ts'

/** Packages that a project installs itself if it uses what needs them. */
export interface OptionalPackages {
  readonly names: readonly string[]
  /** Code of the error without them. */
  readonly code: ConfigurationError['code']
  /** Its message, which says what to install. */
  readonly message: string
}

/**
 * Loads a module that needs packages which may be missing.
 * @throws ConfigurationError that says what to install.
 */
export async function loadOptional<Module>(
  { names, code, message }: OptionalPackages,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (isMissing(error, names)) throw new ConfigurationError(code, message)
    throw error
  }
}

// A missing file of our own has the same code, but is another error.
function isMissing(error: unknown, names: readonly string[]): boolean {
  if (!(error instanceof Error)) return false
  if (!hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return false
  return names.some((name) => error.message.includes(`'${name}'`))
}
