import { className } from '../../base/reports/class-name.ts'

const longest = 120

/**
 * Why a job failed, as it may stand beside it in a store: the class of the error and its code. Never
 * its message, which may repeat what the payload was encrypted for.
 */
export function failureReason(error: Error): string {
  const code = 'code' in error ? error.code : undefined
  const known = typeof code === 'string' || typeof code === 'number' ? ` ${code}` : ''
  return `${className(error)}${known}`.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, longest)
}
