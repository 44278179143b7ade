import { findCurl } from './curl-program.ts'
import { programMissing } from './test-programs.ts'

const program = findCurl()

/** Why tests that need curl are skipped; false when they are not. */
export const curlMissing: string | false = program === null && programMissing('curl')

/** A shell script in which `curl` is the one of the tests. */
export function withCurl(script: string): string {
  return `curl() { '${program}' "$@"; }\n${script}`
}
