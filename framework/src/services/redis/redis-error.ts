import type { ErrorCode } from '../../base/error-codes.ts'
import { FrameworkError } from '../../base/errors.ts'

/** The codes a failed command can have. */
export type RedisFailure = Extract<
  ErrorCode,
  'E_REDIS' | 'E_REDIS_CLOSED' | 'E_REDIS_LOST' | 'E_REDIS_TIMEOUT'
>

/** Words a server begins its refusal with when the same command may work later or elsewhere. */
const passing: ReadonlySet<string> = new Set([
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

/** A command failed. The text never holds what was sent: no key, no value, no password. */
export class RedisError extends FrameworkError {
  declare readonly code: RedisFailure
  /** The first word of the server's refusal, such as `WRONGTYPE`, or the system's code. */
  readonly native: string | null

  constructor(code: RedisFailure, message: string, native: string | null = null) {
    super(code, message)
    this.native = native
  }

  /** Whether the server is away or overloaded, rather than the command wrong. */
  get unavailable(): boolean {
    if (this.code === 'E_REDIS_LOST' || this.code === 'E_REDIS_TIMEOUT') return true
    return this.code === 'E_REDIS' && passing.has(this.native ?? '')
  }
}
