import type { Readable } from 'node:stream'
import type { Limits } from './limits.ts'

/** Header names and values in turn, as they go over the wire. */
export type FlatHeaders = readonly string[]

/** Request headers by lower-case name. */
export type IncomingHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * One request and the means to answer it. The engine vouches for its framing: exactly one host,
 * a known version and transfer coding, a target in origin form (or `*`).
 */
export interface Exchange {
  readonly method: string
  readonly target: string
  /** Whether the connection is encrypted. */
  readonly secure: boolean
  /** Address of the other end of the connection. */
  readonly address: string
  readonly headers: IncomingHeaders
  /** Whether the request announced a body. */
  readonly hasBody: boolean
  readonly body: Readable
  /** Whether the head of an answer was handed to the network. */
  readonly began: boolean
  /** Whether a whole answer was handed to the network, all of it at once. */
  readonly answered: boolean
  /** Whether the client went away before the answer was complete. */
  readonly gone: boolean
  /** Sends a whole answer at once; adds length, date and connection headers. */
  respond(status: number, headers: FlatHeaders, body: string | Uint8Array | null): void
  /** Sends an answer piece by piece. Resolves when it ended, also when the client left. */
  stream(status: number, headers: FlatHeaders, body: Readable): Promise<void>
  /** Calls back once if the client goes away before the answer is complete. */
  onGone(listener: () => void): void
  /** Cuts the connection: the only honest end for an answer that broke in the middle. */
  destroy(): void
}

/** Receives exchanges; must not throw. */
export type Receiver = (exchange: Exchange) => void

/** Where an engine listens. */
export interface Listening {
  readonly host: string
  readonly port: number
}

/** Key and certificate in PEM form. */
export interface TlsOptions {
  readonly key: string | Buffer
  readonly cert: string | Buffer
}

/** What an engine is built from. */
export interface EngineOptions {
  readonly limits: Limits
  readonly tls: TlsOptions | null
  readonly receive: Receiver
}

/** Bytes on the wire. */
export interface Traffic {
  readonly read: number
  readonly written: number
}

/** Carries HTTP between the network and the framework. */
export interface Engine {
  /** All bytes since the start, also those of connections that are over. */
  readonly traffic: Traffic
  listen(address: Listening): Promise<Listening>
  /**
   * Stops accepting, lets requests in flight finish for at most `timeout` seconds, then cuts
   * what is left. Resolves with how many connections had to be cut.
   */
  close(timeout: number): Promise<number>
}
