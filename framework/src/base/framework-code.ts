import { errorCodes } from './error-codes.ts'
import type { ErrorCode } from './error-codes.ts'

/** The error's framework code, else null. No `instanceof`: a project may load a second copy of it. */
export function frameworkCode(error: Error): ErrorCode | null {
  const code = 'code' in error ? error.code : null
  return isErrorCode(code) ? code : null
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}
