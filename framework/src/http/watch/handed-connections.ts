import { Socket } from 'node:net'
import type { Listening } from '../server/engine/engine.ts'
import { ListenError } from '../server/engine/listen-error.ts'
import { askWatcher, isWatched, onWatcher } from './watch-messages.ts'

/** Options of `receiveConnections`. */
export interface ReceiveOptions extends Listening {
  /** Whether they carry TLS. */
  readonly secure: boolean
  readonly take: (socket: Socket) => void
}

/** Connections that another process accepts. */
export interface HandedConnections {
  readonly port: number
  /** Asks for no more of them, and resolves when those that were on their way have been taken. */
  readonly stop: () => Promise<void>
}

/** A watcher that does not respond must not hold up the end of a server. */
const maxWaitMs = 1_000

let isClaimed = false

/**
 * Whether a server may call `receiveConnections`: the first one of a process under `--watch` may. Others
 * in the same process listen themselves.
 */
export function claimConnections(): boolean {
  if (isClaimed || !isWatched()) return false
  isClaimed = true
  return true
}

/**
 * Lets the process that watches this one listen in its place. It keeps the port while this process is
 * replaced, so that no connection is refused.
 * @throws ListenError if the address is not available.
 */
export function receiveConnections(options: ReceiveOptions): Promise<HandedConnections> {
  const { host, port, secure, take } = options
  return new Promise((resolve, reject) => {
    const left = Promise.withResolvers<void>()
    const unsubscribe = onWatcher((answer, handle) => {
      if (answer.type === 'framework:connection' && handle instanceof Socket) take(handle)
      else if (answer.type === 'framework:listening') resolve({ port: answer.port, stop })
      else if (answer.type === 'framework:left') left.resolve()
      else if (answer.type === 'framework:refused') {
        end()
        const { code, message } = answer
        reject(new ListenError(host, port, Object.assign(new Error(message), { code })))
      }
    })
    const end = (): void => {
      unsubscribe()
      isClaimed = false
    }
    // The answer comes after every connection that was sent before it.
    const stop = async (): Promise<void> => {
      const timer = setTimeout(left.resolve, process.connected ? maxWaitMs : 0)
      askWatcher({ type: 'framework:leave' })
      await left.promise
      clearTimeout(timer)
      end()
    }
    askWatcher({ type: 'framework:listen', host, port, secure })
  })
}
