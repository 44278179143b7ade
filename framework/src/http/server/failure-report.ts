import { parseError } from '../../errors/crash-reports/parse-error.ts'
import { Throwables } from '../../errors/throwables/throwables.ts'
import { frameworkCode } from '../../base/framework-code.ts'

/**
 * The report of an unexpected error, with its stack; null for a framework error, whose message is
 * enough.
 */
export function failureReport(error: Error): string | null {
  return frameworkCode(error) === null ? Throwables.render(parseError(error) ?? error) : null
}
