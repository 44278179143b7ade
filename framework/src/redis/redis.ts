import { createHash } from 'node:crypto'

/** An argument of a command: a key, a string or a number. */
export type RedisArgument = string | number

/**
 * A connection to a Redis server, shared by everything in this process: do not send commands that
 * block it or change its mode, such as `BLPOP`, `SUBSCRIBE` or `SELECT`.
 */
export interface Redis {
  /** Its URL without user and password, for banners and messages. */
  readonly label: string
  /** Prefix of this application's keys. It is not added automatically. */
  readonly prefix: string
  /**
   * Sends a command and resolves with its reply: a string, a number, null, or a list of those. The
   * command is sent at most once. It fails immediately without a connection, and after
   * `command_timeout`, in which case it may have been executed nevertheless.
   * @throws RedisError that contains none of the arguments.
   */
  call(command: string, ...parameters: readonly RedisArgument[]): Promise<unknown>
  /** Runs a script atomically. The server caches it, so its text is sent only once. */
  run(
    script: RedisScript,
    keys: readonly string[],
    parameters?: readonly RedisArgument[],
  ): Promise<unknown>
  /** Resolves when the server responds. Meant for `ready('redis', () => redis.ping())`. */
  ping(): Promise<void>
  /** Waits for pending commands, then closes the connection. Later commands throw E_REDIS_CLOSED. */
  close(): Promise<void>
}

/** A Lua script and the digest that identifies it on the server. */
export class RedisScript {
  readonly lua: string
  readonly digest: string

  constructor(lua: string) {
    this.lua = lua
    this.digest = createHash('sha1').update(lua).digest('hex')
  }
}
