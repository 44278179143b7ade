import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Seconds that no answer of a test takes, however busy the machine is. */
const maxSeconds = 120

/** A TCP client that sends exact bytes, as Latin-1, and keeps everything that comes back. */
export class RawClient {
  readonly socket: Socket
  #received = ''
  #closed = false
  #fault: string | null = null
  #waiting: (() => void)[] = []

  constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1')
      this.#wake()
    })
    // A reset is one of the ways a server ends a connection; `close` follows.
    socket.on('error', (error) => {
      this.#fault = error.message
    })
    socket.on('close', () => {
      this.#closed = true
      this.#wake()
    })
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  /** The same over TLS, trusting exactly that certificate. */
  static async connectTls(port: number, certificate: string): Promise<RawClient> {
    const socket = connectTls({ port, host: '127.0.0.1', ca: certificate })
    await once(socket, 'secureConnect')
    return new RawClient(socket)
  }

  /** Everything the server sent so far. */
  get received(): string {
    return this.#received
  }

  /** Whether the connection is over on both sides. */
  get closed(): boolean {
    return this.#closed
  }

  /** What broke the connection, such as a reset; null as long as nothing did. */
  get fault(): string | null {
    return this.#fault
  }

  send(bytes: string | Buffer): this {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    return this
  }

  /** Resolves with everything received once it holds the text. */
  async until(text: string): Promise<string> {
    await this.#wait(`"${text}"`, () => this.#received.includes(text))
    return this.#received
  }

  /** Resolves with everything received once the server has ended the connection. */
  async ended(): Promise<string> {
    // Without this a client that never finishes its own side would hide a server that did.
    this.socket.once('end', () => this.socket.end())
    if (this.socket.readableEnded) this.socket.end()
    await this.#wait('the end of the connection', () => this.#closed)
    return this.#received
  }

  /** Leaves without a word: the server sees a reset. */
  reset(): void {
    this.socket.resetAndDestroy()
  }

  /** Leaves politely. */
  leave(): void {
    this.socket.destroy()
  }

  #wait(what: string, holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const got = JSON.stringify(this.#received.slice(0, 2000))
        reject(new Error(`waited in vain for ${what}; received ${got}`))
      }, maxSeconds * 1000)
      const look = (): void => {
        if (!holds()) {
          if (!this.#closed) this.#waiting.push(look)
          else {
            clearTimeout(timer)
            reject(new Error(`the connection ended before ${what}: ${this.#received}`))
          }
          return
        }
        clearTimeout(timer)
        resolve()
      }
      look()
    })
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const look of waiting) look()
  }
}

/** Sends bytes on a connection of their own and resolves with all that came until it ended. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const client = await RawClient.connect(port)
  return client.send(bytes).ended()
}
