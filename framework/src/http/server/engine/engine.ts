import type { Readable, Writable } from 'node:stream'
import type { Limits } from './limits.ts'

/** Header names and values alternating, as they are sent. */
export type FlatHeaders = readonly string[]

/** Request headers by lower-case name. */
export type IncomingHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * One request and the means to respond to it. The engine guarantees valid framing: exactly one host, a
 * known version and transfer coding, a target in origin form (or `*`).
 */
export interface Exchange {
  readonly method: string
  readonly target: string
  /** Whether the connection is encrypted. */
  readonly secure: boolean
  /** Address of the other end of the connection. */
  readonly address: string
  readonly headers: IncomingHeaders
  /** Whether the request has a body. */
  readonly hasBody: boolean
  readonly body: Readable
  /** Whether the headers of a response were handed to the network. */
  readonly began: boolean
  /** Whether a complete response was handed to the network in one piece. */
  readonly responded: boolean
  /** The length of the body of that response, also if the request was HEAD; 0 without one. */
  readonly responseBytes: number
  /** Whether the client disconnected before the response was complete. */
  readonly gone: boolean
  /** Bytes sent since a streamed response began, with its head; 0 if none was streamed. */
  readonly streamedBytes: number
  /** Sends a complete response; adds length, date and connection headers. */
  respond(status: number, headers: FlatHeaders, body: string | Uint8Array | null): void
  /**
   * Streams a response. Resolves when it has ended, even if the client disconnected. `begun` is called
   * when its headers are sent.
   */
  stream(status: number, headers: FlatHeaders, body: Readable, begun?: () => void): Promise<void>
  /** Calls the listener once if the client disconnects before the response is complete. */
  onGone(listener: () => void): void
  /** Makes the response the last one of its connection. */
  closeAfter(): void
  /** Closes the connection: the only way to show the client that a response is incomplete. */
  destroy(): void
}

/** A body that an engine need not read: it writes itself, all in the same memory, which a stream needs anew for each chunk. */
export interface SendsItself {
  /**
   * Writes to a receiver that calls back when it is done with a chunk. Resolves when the receiver is closed.
   * @throws the error of a body that fails.
   */
  sendTo(receiver: Writable): Promise<void>
}

/** Receives exchanges, each as the last thing of a callback of the event loop; must not throw. */
export type Receiver = (exchange: Exchange) => void

/** Where an engine listens. */
export interface Listening {
  readonly host: string
  readonly port: number
}

/** Key and certificate in PEM format. */
export interface TlsOptions {
  readonly key: string | Buffer
  readonly cert: string | Buffer
}

/** Options of an engine. */
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
