import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { toError } from '../../base/to-error.ts'
import { isMessageToWatcher } from '../../http/watch/watch-messages.ts'
import type { MessageFromWatcher, MessageToWatcher } from '../../http/watch/watch-messages.ts'

/** Connections that may wait for a server; more than a browser and a load test open. */
const maxWaiting = 1000

type Address = Extract<MessageToWatcher, { type: 'framework:listen' }>

/**
 * The listening socket of servers that run one after the other. Connections go to the server of the
 * moment; while there is none they wait, so that a restart refuses nobody.
 */
export class KeptListener {
  #listener: Server | null = null
  #address: Address | null = null
  #server: ChildProcess | null = null
  /** Why there will be no server for a while; null while one runs or starts. */
  #absence: string | null = null
  readonly #waiting: Socket[] = []

  /** Listens for a server as soon as it says where. */
  serve(server: ChildProcess): void {
    this.#absence = null
    server.on('message', (message) => {
      if (!isMessageToWatcher(message)) return
      if (message.type === 'framework:listen') void this.#answer(server, message)
      else if (message.type === 'framework:leave') this.#leave(server)
    })
  }

  /** From now on connections wait for the next server. */
  hold(): void {
    this.#server = null
  }

  /** Connections get a response with the reason, until there is another server. */
  refuse(reason: string): void {
    this.#server = null
    this.#absence = reason
    for (const socket of this.#waiting.splice(0)) this.#respond(socket, reason)
  }

  close(): void {
    this.#listener?.close()
    this.#listener = null
    for (const socket of this.#waiting.splice(0)) socket.destroy()
  }

  // Messages keep their order, so this is the last one about connections.
  #leave(server: ChildProcess): void {
    if (this.#server === server) this.hold()
    tell(server, { type: 'framework:left' })
  }

  async #answer(server: ChildProcess, address: Address): Promise<void> {
    try {
      const port = await this.#listen(address)
      tell(server, { type: 'framework:listening', port })
      this.#server = server
      for (const socket of this.#waiting.splice(0)) this.#accept(socket)
    } catch (thrown) {
      const error = toError(thrown)
      const code = 'code' in error ? String(error.code) : ''
      tell(server, { type: 'framework:refused', code, message: error.message })
    }
  }

  async #listen(address: Address): Promise<number> {
    const { host, port } = address
    const isSame = this.#address?.host === host && this.#address.port === port
    this.#address = address
    if (this.#listener === null || !isSame) {
      this.#listener?.close()
      this.#listener = null
      // Paused, so that not a byte is read here.
      const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true })
      listener.on('connection', (socket) => this.#accept(socket))
      listener.listen({ host, port, backlog: 1024 })
      await once(listener, 'listening')
      this.#listener = listener
    }
    const bound = this.#listener.address()
    return typeof bound === 'object' && bound !== null ? bound.port : port
  }

  #accept(socket: Socket): void {
    // A client that has left.
    socket.on('error', () => {})
    if (this.#server !== null) tell(this.#server, { type: 'framework:connection' }, socket)
    else if (this.#absence !== null) this.#respond(socket, this.#absence)
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(socket)
    else socket.destroy()
  }

  #respond(socket: Socket, reason: string): void {
    if (this.#address?.secure === true) return void socket.destroy()
    const text = `<!doctype html><meta http-equiv="refresh" content="1"><title>No server</title><p>${reason}`
    const head = [
      'HTTP/1.1 503 Service Unavailable',
      'Content-Type: text/html; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Retry-After: 1',
      'Connection: close',
    ]
    socket.resume()
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  }
}

function tell(server: ChildProcess, answer: MessageFromWatcher, socket?: Socket): void {
  if (!server.connected) return void socket?.destroy()
  server.send(answer, socket, () => {})
}
