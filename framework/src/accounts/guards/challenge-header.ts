import { InvalidArgumentException } from '../../base/errors.ts'
import { Authenticating } from './authenticating.ts'
import type { Guard } from './guard.ts'

/**
 * The `WWW-Authenticate` header of a guard: one challenge for each scheme of its guards, with the realm
 * of the first guard that names one.
 * @throws InvalidArgumentException for a scheme or realm that does not fit into the header.
 */
export function challengeHeader(guard: Guard): string {
  const realms = new Map<string, string | undefined>()
  for (const { scheme = 'Cookie', realm } of singleGuards(guard)) {
    realms.set(scheme, realms.get(scheme) ?? realm)
  }
  return [...realms].map(([scheme, realm]) => challenge(scheme, realm)).join(', ')
}

/**
 * The challenge of one guard.
 * @throws InvalidArgumentException for a scheme or realm that does not fit into the header.
 */
export function singleChallenge({
  scheme = 'Cookie',
  realm,
}: Pick<Guard, 'scheme' | 'realm'>): string {
  return challenge(scheme, realm)
}

/** The guards that a guard consists of, in the order in which they are tried. */
export function singleGuards(guard: Guard): readonly Guard[] {
  return guard instanceof Authenticating ? guard.guards.flatMap(singleGuards) : [guard]
}

function challenge(scheme: string, realm = 'Protected area'): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(scheme)) throw invalid('scheme', 'a word such as Bearer')
  if (!/^[\x20-\x7e]*$/.test(realm)) throw invalid('realm', 'printable ASCII characters only')
  return `${scheme} realm="${realm.replace(/["\\]/g, String.raw`\$&`)}"`
}

function invalid(part: string, expected: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_HEADER',
    `the ${part} of a guard is sent in a header: use ${expected}`,
  )
}
