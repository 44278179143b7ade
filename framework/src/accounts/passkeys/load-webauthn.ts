import { loadOptional } from '../../base/load-optional.ts'
import type * as Webauthn from './webauthn.ts'

const packageName = '@simplewebauthn/server'

/**
 * Loads what needs SimpleWebAuthn, which the project installs itself.
 * @throws ConfigurationError E_PASSKEYS that says what to install.
 */
export function loadWebauthn(
  load: () => Promise<typeof Webauthn> = () => import('./webauthn.ts'),
): Promise<typeof Webauthn> {
  const message = `passkeys need the package ${packageName}, which is not installed: npm install ${packageName}`
  return loadOptional({ names: [packageName], code: 'E_PASSKEYS', message }, load)
}
