import { ConfigurationError } from '../../../base/errors.ts'
import { hasCode } from '../../../base/files/has-code.ts'
import type * as Webauthn from './webauthn.ts'

const packageName = '@simplewebauthn/server'

/**
 * Loads what needs SimpleWebAuthn, which the project installs itself.
 * @throws ConfigurationError E_PASSKEYS that says what to install.
 */
export async function loadWebauthn(
  load: () => Promise<typeof Webauthn> = () => import('./webauthn.ts'),
): Promise<typeof Webauthn> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new ConfigurationError(
      'E_PASSKEYS',
      `passkeys need the package ${packageName}, which is not installed: npm install ${packageName}`,
    )
  }
}

// A missing file of our own has the same code, but is another error.
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (!hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return false
  return error.message.includes(`'${packageName}'`)
}
