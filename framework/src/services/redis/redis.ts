import { createHash } from 'node:crypto'

/** What a command takes beside its name: keys, texts and numbers. */
export type RedisArgument = string | number

/**
 * A connection to a Redis server, shared by all that is under way in this process: no command may
 * block or change what the connection is, such as `BLPOP`, `SUBSCRIBE` or `SELECT`.
 */
export interface Redis {
  /** Its URL without user and password, for banners and messages. */
  readonly label: string
  /** What the keys of this application begin with. Who makes a key puts it there: nothing is added. */
  readonly prefix: string
  /**
   * Sends a command and resolves with its reply: a text, a number, null, or a list of those. It is
   * sent at most once. While there is no connection it fails at once, and it never waits for longer
   * than `command_timeout`; then it may have been carried out all the same.
   * @throws RedisError that holds none of the arguments.
   */
  call(command: string, ...parameters: readonly RedisArgument[]): Promise<unknown>
  /** Runs a script, which the server does as one step. The server keeps it: its text is sent once. */
  run(
    script: RedisScript,
    keys: readonly string[],
    parameters?: readonly RedisArgument[],
  ): Promise<unknown>
  /** Resolves when the server answers. Meant for `ready('redis', () => redis.ping())`. */
  ping(): Promise<void>
  /** Waits for what is under way, then gives the connection back. Later commands fail clearly. */
  close(): Promise<void>
}

/** A script in Lua, and the digest the server knows it by. */
export class RedisScript {
  readonly lua: string
  readonly digest: string

  constructor(lua: string) {
    this.lua = lua
    this.digest = createHash('sha1').update(lua).digest('hex')
  }
}
