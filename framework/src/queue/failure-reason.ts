import { className } from '../errors/reports/class-name.ts'

const maxLength = 120

/**
 * Why a job failed, in a form that may be stored: the class and code of the error. Never its message,
 * which may contain parts of the encrypted payload.
 */
export function failureReason(error: Error): string {
  const code = 'code' in error ? error.code : undefined
  const known = typeof code === 'string' || typeof code === 'number' ? ` ${code}` : ''
  return `${className(error)}${known}`.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, maxLength)
}
