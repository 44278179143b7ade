import type { ErrorCode } from '../base/error-codes.ts'
import { FrameworkError } from '../base/errors.ts'
import { toError } from '../base/to-error.ts'

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

/** The state of the connection when a command fails. */
export interface ConnectionContext {
  /** Its URL without user and password. */
  readonly label: string
  readonly commandTimeout: number
  /** Why there is no connection; null while connected. */
  readonly loss: RedisError | null
}

const replyReasons: Readonly<Record<string, string>> = {
  LOADING: 'it is still loading its data',
  MISCONF: 'it cannot save to disk and rejects writes',
  NOAUTH: 'it requires a password',
  NOPERM: 'the user lacks the permission',
  OOM: 'it is out of memory; set a maxmemory-policy that evicts keys, or give it more memory',
  READONLY: 'it is a replica and rejects writes',
  WRONGPASS: 'it rejected the user or the password',
  WRONGTYPE: 'the key holds a value of another type',
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection broke',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it did not answer within connect_timeout',
}

/** The client's errors for a command, or a connection, without a response. */
const timedOut = /^(Command timed out|Socket timeout)/

/**
 * Converts the error of a failed command. The client's own error is dropped: it contains everything
 * that was sent, including passwords, session ids and values.
 */
export function toRedisError(
  error: unknown,
  command: string,
  context: ConnectionContext,
): RedisError {
  const { label, commandTimeout, loss } = context
  const cause = toError(error)
  if (cause.name === 'ReplyError') return replyError(cause, `${label} rejected ${command}`)
  if (timedOut.test(cause.message)) {
    return new RedisError(
      'E_REDIS_TIMEOUT',
      `${label} did not answer ${command} within ${commandTimeout} seconds`,
    )
  }
  if (loss !== null) return new RedisError(loss.code, loss.message, loss.native)
  return new RedisError('E_REDIS_LOST', `the connection to ${label} broke during ${command}`)
}

/** Converts the client's error when it loses the connection or cannot connect. */
export function connectionError(error: unknown, context: ConnectionContext): RedisError {
  const cause = toError(error)
  const start = `no connection to ${context.label}`
  if (cause.name === 'ReplyError') {
    const { message, native } = replyError(cause, start)
    return new RedisError('E_REDIS_LOST', message, native)
  }
  const native = 'code' in cause && typeof cause.code === 'string' ? cause.code : null
  return new RedisError('E_REDIS_LOST', `${start}: ${reasonOf(cause, native, context)}`, native)
}

// Redis quotes what was sent, so its text is safe up to the first quote.
function replyError({ message }: Error, start: string): RedisError {
  const [native = ''] = /^[A-Z]+/.exec(message) ?? []
  const [said = ''] = message.slice(native.length).split(/['"`]/, 1)
  const reason = replyReasons[native] ?? `${native}${said}`.trim()
  return new RedisError('E_REDIS', `${start}: ${reason}`, native === '' ? null : native)
}

function reasonOf(
  cause: Error,
  native: string | null,
  { commandTimeout }: ConnectionContext,
): string {
  if (timedOut.test(cause.message)) return `it did not respond for ${commandTimeout} seconds`
  if (native === null) return 'it was closed before it was ready'
  if (/CERT|ERR_TLS|ERR_SSL/.test(native)) return `TLS failed (${native})`
  return reasons[native] ?? native
}
