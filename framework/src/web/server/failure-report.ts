import { parseError } from '../../base/crash-reports/parse-error.ts'
import { Throwables } from '../../base/throwables/throwables.ts'
import { frameworkCode } from '../../base/framework-code.ts'

/**
 * What is to be printed of an error that nobody expected, with its stack; null for one of the
 * framework, whose message says all there is.
 */
export function failureReport(error: Error): string | null {
  return frameworkCode(error) === null ? Throwables.render(parseError(error) ?? error) : null
}
