import type { Socket } from 'node:net'
import { ConfigurationError } from '../../base/errors.ts'

/** In the capabilities; MariaDB leaves it out. */
const MYSQL = 1
const protocol = 10
const headerBytes = 4

/** Follows the greeting of a server, which is the first thing that it sends. */
export class ServerGreeting {
  #bytes: Buffer = Buffer.alloc(0)
  #foreignVersion: string | null = null

  /**
   * Closes the connection if the server is not MariaDB, before the driver sends a password. It must be
   * called before the driver listens.
   */
  constructor(socket: Socket) {
    const read = (chunk: Buffer): void => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      if (this.#bytes.length < headerBytes) return
      if (this.#bytes.length < headerBytes + this.#bytes.readUIntLE(0, 3)) return
      socket.off('data', read)
      this.#foreignVersion = foreignVersion(this.#bytes.subarray(headerBytes))
      if (this.#foreignVersion !== null) socket.destroy()
    }
    socket.on('data', read)
  }

  /** @throws ConfigurationError E_DATABASE_SERVER when the server is not MariaDB. */
  assertMariadb(label: string): void {
    if (this.#foreignVersion === null) return
    throw new ConfigurationError(
      'E_DATABASE_SERVER',
      `no connection to ${label}: the server is MySQL ${this.#foreignVersion}, which is not supported; ` +
        'use MariaDB, PostgreSQL or SQLite',
    )
  }
}

/** The version of a server that is not MariaDB; null for MariaDB, and for an error instead of a greeting. */
export function foreignVersion(greeting: Buffer): string | null {
  if (greeting[0] !== protocol) return null
  const end = greeting.indexOf(0, 1)
  const version = greeting.toString('latin1', 1, end)
  // Behind the version: the thread and eight bytes of salt, each with an end.
  const capabilities = end + 1 + 4 + 8 + 1
  if (end === -1 || greeting.length < capabilities + 2) return null
  // Some servers have this prefix for old clients of replication.
  if (version.startsWith('5.5.5-') || version.includes('MariaDB')) return null
  if ((greeting.readUInt16LE(capabilities) & MYSQL) === 0) return null
  return version.replaceAll(/[^\w.+~-]/g, '').slice(0, 40)
}
