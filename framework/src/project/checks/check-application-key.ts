import { keyWeakness } from '../../base/crypto/key-weakness.ts'
import { keyScope } from '../../settings/keys/key-settings.ts'
import type { Check } from './check-context.ts'
import { error } from './finding.ts'
import type { Finding } from './finding.ts'
import { settingOf } from './setting-of.ts'

const newKey = 'set APP_KEY to 32 random bytes, as printed by `openssl rand -hex 32`'
const guessed = 'whoever guesses the key reads and forges what the application encrypts and signs'

/** The key that the application encrypts and signs with, if the project has one. */
export const checkApplicationKey: Check = (context) => {
  const current = settingOf(context, keyScope.variables.current)
  if (current === undefined) return []
  const findings: Finding[] = []
  if (current === null) {
    const why = 'the server does not start in production'
    findings.push(error('APP_KEY is not set', why, newKey))
  } else {
    const weakness = keyWeakness(current)
    if (weakness !== null) {
      findings.push(error(`APP_KEY is easy to guess: ${weakness}`, guessed, newKey))
    }
  }
  const previous = settingOf(context, keyScope.variables.previous) ?? []
  if (previous.some((key) => keyWeakness(key) !== null)) {
    const fix = 'remove it from APP_PREVIOUS_KEYS once nothing encrypted with it is left'
    findings.push(error('APP_PREVIOUS_KEYS has a key that is easy to guess', guessed, fix))
  }
  return findings
}
