import type { ErrorCode } from '../base/error-codes.ts'
import { FrameworkError } from '../base/errors.ts'

/** The codes of a failed operation, the same for all disks. */
export type StorageFailure = Extract<ErrorCode, `E_STORAGE${string}`>

/** An operation of a disk failed. The message has no secret, and no address that would open a file. */
export class StorageError extends FrameworkError {
  declare readonly code: StorageFailure
  /** The code of the system or of the server, such as `ENOSPC` or `AccessDenied`. */
  readonly native: string | null

  constructor(code: StorageFailure, message: string, native: string | null = null) {
    super(code, message)
    this.native = native
  }
}

/** The error for an object that there is not. */
export function missingObject(key: string): StorageError {
  return new StorageError('E_STORAGE_MISSING', `there is no object "${key}"`)
}
