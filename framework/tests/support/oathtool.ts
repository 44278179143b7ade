import { execFileSync } from 'node:child_process'
import { findOathtool } from './oathtool-program.ts'
import { programMissing } from './test-programs.ts'

const program = findOathtool()

/** Why tests that need oathtool are skipped; false when they are not. */
export const oathtoolMissing: string | false = program === null && programMissing('oathtool')

/** The code that an authenticator app shows for a secret in base32, at a time in epoch seconds. */
export function codeOf(secret: string, now: number = Date.now() / 1000): string {
  const at = `${new Date(now * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const flags = ['--totp', '--base32', '--now', at, secret]
  return execFileSync(program ?? '', flags, { encoding: 'utf8' }).trim()
}
