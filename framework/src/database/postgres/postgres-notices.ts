import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { postgres } from '../sql/dialects/postgres.ts'
import type { Notices } from '../surface.ts'

const pauseMs = 1_000

/** Notices of PostgreSQL: `NOTIFY` and `LISTEN`. */
export class PostgresNotices implements Notices {
  readonly #connect: () => Client
  readonly #run: (sql: string, parameters: readonly unknown[]) => Promise<unknown>

  /** `connect` makes a client that is not connected yet. */
  constructor(
    connect: () => Client,
    run: (sql: string, parameters: readonly unknown[]) => Promise<unknown>,
  ) {
    this.#connect = connect
    this.#run = run
  }

  async notify(topic: string): Promise<void> {
    await this.#run('SELECT pg_notify($1, $2)', [topic, ''])
  }

  listen(topic: string, wake: () => void): () => Promise<void> {
    const listener = new Listener(this.#connect, `LISTEN ${postgres.quote(topic)}`, wake)
    return () => listener.close()
  }
}

class Listener {
  readonly #connect: () => Client
  readonly #command: string
  readonly #wake: () => void
  readonly #running: Promise<void>
  readonly #closing = new AbortController()
  #client: Client | null = null

  constructor(connect: () => Client, command: string, wake: () => void) {
    this.#connect = connect
    this.#command = command
    this.#wake = wake
    this.#running = this.#run()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#client?.connection.stream.destroy()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#session().catch(() => {})
      // What was missed meanwhile is found by whoever is woken, who also reports an outage.
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  /** Resolves or rejects when the connection has ended. */
  async #session(): Promise<void> {
    const client = this.#connect()
    this.#client = client
    const ended = new Promise<void>((resolve) => {
      client.once('error', () => resolve()).once('end', () => resolve())
    })
    client.on('notification', () => this.#wake())
    try {
      await client.connect()
      await client.query(this.#command)
      this.#wake()
      const { stream } = client.connection
      if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
      await ended
    } finally {
      client.on('error', () => {})
      client.connection.stream.destroy()
    }
  }
}
