import type { RedisOptions } from 'ioredis'
import type { RedisSettings } from './redis-url.ts'

const maxPauseMs = 2_000

/** Options of an `ioredis` client, without those that change the shape of replies. */
export type ClientOptions = Omit<RedisOptions, 'replyMapping'>

/** Options of a client with a timeout or limit for everything it does. */
export function clientOptions(settings: RedisSettings): ClientOptions {
  const { host, port, user, password, database, tls, connectTimeout, commandTimeout } = settings
  return {
    host,
    port,
    db: database,
    ...(user === '' ? {} : { username: user }),
    ...(password === '' ? {} : { password }),
    ...(tls === 'off' ? {} : { tls: { rejectUnauthorized: tls === 'on' } }),
    lazyConnect: true,
    connectTimeout: connectTimeout * 1000,
    commandTimeout: commandTimeout * 1000,
    // An unresponsive server is disconnected. With only a timeout per command, every request would
    // wait for its own timeout as long as the server is unresponsive.
    socketTimeout: commandTimeout * 1000,
    // A stream that closed by itself is still waited for: that must not hold up the exit of a process.
    disconnectTimeout: Math.min(commandTimeout, 2) * 1000,
    // A command is sent at most once. Resending it after a broken connection may execute it twice,
    // and queueing it until reconnection would block its request.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: pauseMs,
    // After a failover this may be a replica; reconnecting resolves the address again.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  }
}

/** Random, so that the workers of many machines do not reconnect at the same moment. */
function pauseMs(attempt: number): number {
  const max = Math.min(maxPauseMs, 50 * 2 ** Math.min(attempt - 1, 10))
  return max / 2 + (Math.random() * max) / 2
}
