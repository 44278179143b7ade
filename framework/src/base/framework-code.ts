import { errorCodes } from './error-codes.ts'
import type { ErrorCode } from './error-codes.ts'

/** The code of an error of the framework, else null; a project may have a copy of its own. */
export function frameworkCode(error: Error): ErrorCode | null {
  const code = 'code' in error ? error.code : null
  return isErrorCode(code) ? code : null
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}
