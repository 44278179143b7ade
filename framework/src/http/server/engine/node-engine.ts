import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { lateModule } from '../../../base/late-module.ts'
import type * as Handing from '../../watch/handed-connections.ts'
import { DueResponses, dueResponse } from './due-response.ts'
import type { DueResponse } from './due-response.ts'
import type { EngineOptions, Listening, Traffic } from './engine.ts'
import type { Limits } from './limits.ts'
import { ListenError } from './listen-error.ts'
import { missingFields } from './missing-fields.ts'
import type { MissingFields } from './missing-fields.ts'
import { NodeExchange } from './node-exchange.ts'
import type { EngineState } from './node-exchange.ts'
import { nodeHttp } from './node-http.ts'
import { NodeResponse } from './node-response.ts'
import { QuickResponse } from './quick-response.ts'
import { respondToClientError, endWith, refusal } from './refusals.ts'
import {
  incomingBytes,
  outgoingBytes,
  sentBytes,
  SocketSweep,
  writtenBytes,
} from './socket-sweep.ts'
import type { Progress } from './socket-sweep.ts'

const loadHanding = lateModule<typeof Handing>(import.meta, '../../watch/handed-connections')

/** Seconds for which an idle connection may still send a request while the engine closes. */
const idleGrace = 1

/** Milliseconds for which a connection that was just handed over may have bytes that nobody has read. */
const freshMs = 100

/** Carries HTTP between the network and the framework, on `node:http`. */
export class NodeEngine {
  readonly #server: Server<typeof IncomingMessage, typeof NodeResponse>
  readonly #sockets = new Set<Socket>()
  /** With TLS, the TLS sockets on top of those, after the handshake. */
  readonly #secured = new Set<Socket>()
  /** The sockets that carry HTTP. */
  readonly #clients: ReadonlySet<Socket>
  readonly #idleBytes: Progress
  readonly #idle: SocketSweep | null
  readonly #secure: boolean
  /** Under `--watch`; null if this process listens itself. */
  #handed: Handing.HandedConnections | null = null
  readonly #stalls: SocketSweep | null
  /** Of closed connections. */
  readonly #traffic = { read: 0, written: 0 }
  readonly #state: EngineState = { closing: false, done: new WeakSet(), latest: new WeakMap() }

  constructor({ limits, tls, receive }: EngineOptions, missing: MissingFields = missingFields()) {
    const tracked = missing.dueResponse === null ? null : new DueResponses()
    const due: DueResponse = tracked === null ? dueResponse : (socket) => tracked.first(socket)
    this.#idleBytes = incomingBytes(due)
    const options: ServerOptions<typeof IncomingMessage, typeof NodeResponse> = {
      ServerResponse: missing.quickResponse === null ? QuickResponse : NodeResponse,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: headersTimeoutMs(limits),
      requestTimeout: toMs(limits.requestTimeout),
      // Node would set and clear a timer with every request; the sweep is cheaper.
      keepAliveTimeout: 0,
      connectionsCheckingInterval: checkingIntervalMs(limits),
      requireHostHeader: false,
      insecureHTTPParser: false,
      noDelay: true,
      // Most requests have no body: without this, Node creates and drains a stream for each.
      optimizeEmptyRequests: true,
    }
    this.#server =
      tls === null
        ? nodeHttp.createServer(options)
        : // Loaded only here: most servers stand behind a proxy and never need it.
          process
            .getBuiltinModule('node:https')
            .createServer({ ...options, ...tls, handshakeTimeout: headersTimeoutMs(limits) })
    this.#secure = tls !== null
    // A keep-alive timeout of 0 means no limit, like the other timeouts.
    this.#clients = tls === null ? this.#sockets : this.#secured
    const { keepAliveTimeout, sendTimeout } = limits
    const sent = missing.sentBytes === null ? sentBytes : writtenBytes
    this.#idle =
      keepAliveTimeout > 0
        ? new SocketSweep(this.#clients, this.#idleBytes, keepAliveTimeout)
        : null
    this.#stalls =
      sendTimeout > 0 ? new SocketSweep(this.#clients, outgoingBytes(sent), sendTimeout) : null
    // One more than allowed: Node drops further headers silently, and we must notice them.
    this.#server.maxHeadersCount = limits.headerCount + 1
    this.#server.maxRequestsPerSocket = limits.requestsPerSocket
    if (limits.connections > 0) {
      this.#server.maxConnections = limits.connections
      // Otherwise full workers would pass a connection around endlessly.
      Reflect.set(this.#server, 'dropMaxConnection', true)
    }

    const state = this.#state
    const handle = (incoming: IncomingMessage, outgoing: NodeResponse): void => {
      const { socket } = incoming
      if (state.done.has(socket)) return
      tracked?.add(socket, outgoing)
      if (outgoing.socket === null) state.latest.set(socket, outgoing)
      const refused = refusal(incoming, outgoing, limits)
      // Nothing that follows the last request of a connection may run.
      if (!outgoing.shouldKeepAlive) state.done.add(socket)
      const exchange = new NodeExchange(incoming, outgoing, state, tls !== null)
      if (refused === null) receive(exchange)
      else exchange.refuse(refused)
    }
    this.#server.on('request', handle)
    this.#server.on('checkContinue', (incoming: IncomingMessage, outgoing: NodeResponse) => {
      continueOnRead(incoming, outgoing)
      handle(incoming, outgoing)
    })
    this.#server.on('connect', (_incoming: IncomingMessage, socket: Duplex) => {
      // Node has released the socket here, so nothing else would handle a reset by the client.
      socket.on('error', () => {})
      endWith(501, socket, due)
    })
    this.#server.on('clientError', (error: Error, socket: Duplex) =>
      respondToClientError(error, socket, due),
    )
    this.#server.on('connection', (socket: Socket) => {
      keepTrack(this.#sockets, socket)
      socket.once('close', () => {
        this.#traffic.read += socket.bytesRead
        this.#traffic.written += socket.bytesWritten
      })
    })
    this.#server.on('secureConnection', (socket: Socket) => keepTrack(this.#secured, socket))
  }

  listen(address: Listening): Promise<Listening> {
    // Who hands connections over has a channel to this process.
    const isHanded = process.connected && loadHanding().claimConnections()
    return isHanded ? this.#listenElsewhere(address) : this.#listenHere(address)
  }

  async #listenElsewhere({ host, port }: Listening): Promise<Listening> {
    const take = (socket: Socket): void => {
      // As Node creates the sockets that it accepts for a server.
      socket.allowHalfOpen = true
      socket.setNoDelay(true)
      this.#server.emit('connection', socket)
      socket.resume()
    }
    this.#handed = await loadHanding().receiveConnections({
      host,
      port,
      secure: this.#secure,
      take,
    })
    // With this event Node begins to keep track of connections and their timeouts.
    this.#server.emit('listening')
    return { host, port: this.#handed.port }
  }

  #listenHere({ host, port }: Listening): Promise<Listening> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(new ListenError(host, port, error))
      this.#server.once('error', fail)
      this.#server.listen({ host, port, backlog: 1024 }, () => {
        this.#server.off('error', fail)
        const address = this.#server.address()
        const bound = typeof address === 'object' && address !== null ? address.port : port
        resolve({ host, port: bound })
      })
    })
  }

  /** All bytes since the start, including those of closed connections. */
  get traffic(): Traffic {
    const { read, written } = this.#traffic
    const total = { read, written }
    for (const socket of this.#sockets) {
      total.read += socket.bytesRead
      total.written += socket.bytesWritten
    }
    return total
  }

  /**
   * Stops accepting connections, waits at most `timeout` seconds for requests in flight, then closes the
   * rest. Resolves with the number of connections that had to be closed.
   */
  async close(timeout: number): Promise<number> {
    this.#state.closing = true
    const closed = new Promise<void>((resolve) => {
      // `http.Server.close` closes idle connections immediately, although a request may be on its way;
      // `net.Server.close` only stops accepting.
      NetServer.prototype.close.call(this.#server, () => resolve())
    })
    let cut = 0
    this.#idle?.stop()
    const idle = new SocketSweep(this.#clients, this.#idleBytes, Math.min(idleGrace, timeout))
    // With TLS the sweep sees connections only after the handshake; this closes those that never began it.
    const silent = setTimeout(() => {
      for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
    }, idleGrace * 1000)
    const last = setTimeout(() => {
      cut = this.#sockets.size
      for (const socket of this.#sockets) socket.destroy()
    }, timeout * 1000)
    await closed
    const release = await this.#releaseHanded()
    await this.#allClosed()
    clearInterval(release)
    clearTimeout(silent)
    clearTimeout(last)
    idle.stop()
    this.#stalls?.stop()
    // Stops Node's interval for timed-out connections; there are none left.
    this.#server.close(() => {})
    return cut
  }

  // The next server is waiting for this one, so connections are closed as soon as they are idle. Browsers
  // repeat a request that was on its way, except the first of a connection: its bytes are there, but not
  // read yet.
  async #releaseHanded(): Promise<NodeJS.Timeout | undefined> {
    if (this.#handed === null) return undefined
    await this.#handed.stop()
    const freshUntilMs = performance.now() + freshMs
    const release = (): void => {
      const isFresh = performance.now() < freshUntilMs
      const isUnread = isFresh && this.#sockets.values().some(({ bytesRead }) => bytesRead === 0)
      if (!isUnread) this.#server.closeIdleConnections()
    }
    release()
    return setInterval(release, 20)
  }

  // A server waits only for the connections it has accepted itself.
  async #allClosed(): Promise<void> {
    for (const socket of this.#sockets) {
      await new Promise<void>((resolve) => void socket.once('close', () => resolve()))
    }
  }
}

// Node accepts whole milliseconds only, and 0 for no limit.
function toMs(seconds: number): number {
  return Math.ceil(seconds * 1000)
}

// Node rejects a headers timeout longer than the request timeout.
function headersTimeoutMs({ headersTimeout, requestTimeout }: Limits): number {
  return toMs(requestTimeout > 0 ? Math.min(headersTimeout, requestTimeout) : headersTimeout)
}

function checkingIntervalMs({ headersTimeout, requestTimeout }: Limits): number {
  const shortest = Math.min(headersTimeout || Infinity, requestTimeout || Infinity)
  return Math.min(5000, Math.max(100, Math.ceil(shortest * 333)))
}

/**
 * Sends `100 Continue` when the body is first read, so that a client that waits for it never sends a
 * refused body. `_read` is documented as the method a stream calls for its first bytes.
 */
function continueOnRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const read = incoming._read.bind(incoming)
  incoming._read = (size) => {
    incoming._read = read
    if (!outgoing.headersSent) outgoing.writeContinue()
    read(size)
  }
}

function keepTrack(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket)
  // Node knows the address of a closed connection only if it was read before.
  Reflect.get(socket, 'remoteAddress')
  socket.once('close', () => sockets.delete(socket))
}
