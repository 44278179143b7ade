import { oneTimeCode, timeStep } from './one-time-code.ts'
import { fromBase32 } from '../../base/encoding/base32.ts'
import { invalidArgument } from '../../base/errors.ts'
import { epochSeconds } from '../../base/time/epoch-seconds.ts'

/**
 * The code that an authenticator app shows for a secret, which may be in groups: for tests of pages that
 * ask for one. Each code is accepted once; the next one is that of 30 seconds later, which is accepted
 * too.
 * @throws InvalidArgumentException for a secret that is not base32.
 */
export function totpCode(secret: string, now: number = epochSeconds()): string {
  const bytes = fromBase32(secret.replace(/\s/g, ''))
  if (bytes !== null && bytes.length > 0) return oneTimeCode(bytes, timeStep(now))
  throw invalidArgument('the secret of an app must be base32')
}
