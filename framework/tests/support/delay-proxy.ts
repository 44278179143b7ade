import { createConnection, createServer } from 'node:net'
import type { Socket } from 'node:net'

/** A TCP proxy on loopback that simulates a distant server. */
export interface DelayProxy {
  readonly port: number
  /**
   * How often, since the last `reset()`, a client had to wait for the server before it continued:
   * two statements in one flush are one round trip, one after the other they are two. Independent of
   * the speed of the machine.
   */
  roundTrips(): number
  /** Chunks that clients sent before the first response after the last `reset()`. */
  flushes(): number
  reset(): void
  /** Delays everything from now on by this long. Nothing may be in transit. */
  delay(ms: number): void
  /** Drops everything from now on without closing connections, like a cut cable. */
  freeze(): void
  /** Closes all connections at the next response, and withholds it. */
  cutAtAnswer(): void
  close(): Promise<void>
}

/** Starts a proxy to a local port that delays every chunk, in both directions. */
export function startDelayProxy(port: number, delayMs: number): Promise<DelayProxy> {
  const sockets = new Set<Socket>()
  let turns: ('asked' | 'answered')[] = []
  let frozen = false
  let cutting = false
  let holdMs = delayMs

  function carry(from: Socket, to: Socket, turn: 'asked' | 'answered'): void {
    sockets.add(from)
    const later = (act: () => void): void => {
      if (!frozen) setTimeout(() => !frozen && !to.destroyed && act(), holdMs)
    }
    from.setNoDelay(true)
    from.on('data', (chunk) => {
      turns.push(turn)
      if (cutting && turn === 'answered') return cut()
      later(() => to.write(chunk))
    })
    from.on('end', () => later(() => to.end()))
    from.on('error', () => undefined)
    from.on('close', () => {
      sockets.delete(from)
      later(() => to.destroy())
    })
  }

  function cut(whenClosed?: () => void): void {
    server.close(whenClosed)
    for (const socket of sockets) socket.destroy()
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true })
    carry(client, target, 'asked')
    carry(target, client, 'answered')
  })
  const proxy = {
    roundTrips: () =>
      turns.filter((turn, index) => turn === 'asked' && turns[index - 1] !== 'asked').length,
    flushes: () => [...turns, 'answered'].indexOf('answered'),
    reset: () => {
      turns = []
    },
    delay: (ms: number) => {
      holdMs = ms
    },
    freeze: () => {
      frozen = true
    },
    cutAtAnswer: () => {
      cutting = true
    },
    close: () => new Promise<void>((resolve) => cut(resolve)),
  }
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) {
        resolve({ port: address.port, ...proxy })
      }
    })
  })
}
