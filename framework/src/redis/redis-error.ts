import type { ErrorCode } from '../base/error-codes.ts'
import { FrameworkError } from '../base/errors.ts'

/** The error codes of a failed command. */
export type RedisFailure = Extract<
  ErrorCode,
  'E_REDIS' | 'E_REDIS_CLOSED' | 'E_REDIS_LOST' | 'E_REDIS_TIMEOUT'
>

/** Error prefixes of Redis that mean that the same command may work later or on another server. */
const temporary: ReadonlySet<string> = new Set([
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'NOREPLICAS',
  'OOM',
  'READONLY',
  'TRYAGAIN',
])

/** A command failed. The message never contains what was sent: no key, no value, no password. */
export class RedisError extends FrameworkError {
  declare readonly code: RedisFailure
  /** The error prefix of Redis, such as `WRONGTYPE`, or the system's error code. */
  readonly native: string | null

  constructor(code: RedisFailure, message: string, native: string | null = null) {
    super(code, message)
    this.native = native
  }

  /** Whether the server is down or overloaded, as opposed to a wrong command. */
  get unavailable(): boolean {
    if (this.code === 'E_REDIS_LOST' || this.code === 'E_REDIS_TIMEOUT') return true
    return this.code === 'E_REDIS' && temporary.has(this.native ?? '')
  }
}
