import type { RedisOptions } from 'ioredis'
import type { RedisSettings } from './redis-url.ts'

const maxPauseMs = 2_000

/** What a client of `ioredis` is made with; replies keep the shape that the client calls legacy. */
export type ClientOptions = Omit<RedisOptions, 'replyMapping'>

/** The options of a client that is bounded in everything it does. */
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
    // A silent server is given up as a whole. With a timeout for each command alone, every request
    // would wait for its own one as long as the silence lasts.
    socketTimeout: commandTimeout * 1000,
    disconnectTimeout: commandTimeout * 1000,
    // A command is sent at most once. One that is sent again after a broken connection may count
    // twice, and one that waits for a connection keeps its request waiting.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: pauseMs,
    // After a failover this may be a replica; a new connection asks for the address again.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  }
}

/** Chance keeps the workers of many machines from coming back in the same moment. */
function pauseMs(attempt: number): number {
  const longest = Math.min(maxPauseMs, 50 * 2 ** Math.min(attempt - 1, 10))
  return longest / 2 + (Math.random() * longest) / 2
}
