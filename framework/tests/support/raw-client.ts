import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** No response in a test takes this many seconds, however busy the machine is. */
const maxSeconds = 120

/** A TCP client that sends exact bytes, as Latin-1, and keeps everything it receives. */
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
    // A server may end a connection with a reset; `close` follows.
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

  /** Connects over TLS and trusts exactly this certificate. */
  static async connectTls(port: number, certificate: string): Promise<RawClient> {
    const socket = connectTls({ port, host: '127.0.0.1', ca: certificate })
    await once(socket, 'secureConnect')
    return new RawClient(socket)
  }

  /** Everything the server sent so far. */
  get received(): string {
    return this.#received
  }

  /** Whether the connection is closed on both sides. */
  get closed(): boolean {
    return this.#closed
  }

  /** The error that broke the connection, such as a reset; null if there was none. */
  get fault(): string | null {
    return this.#fault
  }

  send(bytes: string | Buffer): this {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    return this
  }

  /** Resolves with everything received once it contains the text. */
  async until(text: string): Promise<string> {
    await this.#wait(`"${text}"`, () => this.#received.includes(text))
    return this.#received
  }

  /** Resolves with everything received once the server has ended the connection. */
  async ended(): Promise<string> {
    // Otherwise a client that never finishes its own side would hide a server that did.
    this.socket.once('end', () => this.socket.end())
    if (this.socket.readableEnded) this.socket.end()
    await this.#wait('the end of the connection', () => this.#closed)
    return this.#received
  }

  /** Resets the connection. */
  reset(): void {
    this.socket.resetAndDestroy()
  }

  /** Closes the connection properly. */
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

/** Sends bytes on a new connection and resolves with everything received until it ended. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const client = await RawClient.connect(port)
  return client.send(bytes).ended()
}
