import { toError } from '../../base/throwables/to-error.ts'
import { RedisError } from './redis-error.ts'

/** What is known of the connection when a command fails. */
export interface ConnectionFacts {
  /** Its URL without user and password. */
  readonly label: string
  readonly commandTimeout: number
  /** Why there is no connection; null as long as there is one. */
  readonly loss: RedisError | null
}

const refusals: Readonly<Record<string, string>> = {
  LOADING: 'it is still loading its data',
  MISCONF: 'it cannot save to its disk and takes no writes',
  NOAUTH: 'it asks for a password',
  NOPERM: 'the user may not do that',
  OOM: 'it is out of memory; give it a maxmemory-policy that forgets, or more memory',
  READONLY: 'it is a replica and takes no writes',
  WRONGPASS: 'it refused the user or the password',
  WRONGTYPE: 'something else stands under that key',
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection broke',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it did not answer within connect_timeout',
}

/** What the client says when a command, or all of them, stayed without an answer. */
const silence = /^(Command timed out|Socket timeout)/

/**
 * What a failed command is in our words. The client's own error is dropped: it carries all that was
 * sent, and with it passwords, session ids and values.
 */
export function toRedisError(error: unknown, command: string, facts: ConnectionFacts): RedisError {
  const { label, commandTimeout, loss } = facts
  const cause = toError(error)
  if (cause.name === 'ReplyError') return refusal(cause, `${label} refused ${command}`)
  if (silence.test(cause.message)) {
    return new RedisError(
      'E_REDIS_TIMEOUT',
      `${label} did not answer ${command} within ${commandTimeout} seconds`,
    )
  }
  if (loss !== null) return new RedisError(loss.code, loss.message, loss.native)
  return new RedisError('E_REDIS_LOST', `the connection to ${label} broke during ${command}`)
}

/** Why there is no connection, from what the client tells when it loses or cannot make one. */
export function lossOf(error: unknown, facts: ConnectionFacts): RedisError {
  const cause = toError(error)
  const beginning = `no connection to ${facts.label}`
  if (cause.name === 'ReplyError') {
    const { message, native } = refusal(cause, beginning)
    return new RedisError('E_REDIS_LOST', message, native)
  }
  const native = 'code' in cause && typeof cause.code === 'string' ? cause.code : null
  return new RedisError('E_REDIS_LOST', `${beginning}: ${reasonOf(cause, native, facts)}`, native)
}

// The server puts what was sent between quotes, so its text is safe up to the first of those.
function refusal({ message }: Error, beginning: string): RedisError {
  const [native = ''] = /^[A-Z]+/.exec(message) ?? []
  const [said = ''] = message.slice(native.length).split(/['"`]/, 1)
  const reason = refusals[native] ?? `${native}${said}`.trim()
  return new RedisError('E_REDIS', `${beginning}: ${reason}`, native === '' ? null : native)
}

function reasonOf(
  cause: Error,
  native: string | null,
  { commandTimeout }: ConnectionFacts,
): string {
  if (silence.test(cause.message)) return `it was silent for ${commandTimeout} seconds`
  if (native === null) return 'it was closed before it was ready'
  if (/CERT|ERR_TLS|ERR_SSL/.test(native)) return `TLS failed (${native})`
  return reasons[native] ?? native
}
