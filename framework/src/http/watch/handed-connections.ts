import { Socket } from 'node:net'
import type { Listening } from '../server/engine/engine.ts'
import { ListenError } from '../server/engine/listen-error.ts'
import { sendToWatcher, isWatched, onWatcher } from './watch-messages.ts'

interface ReceiveOptions extends Listening {
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
    const unsubscribe = onWatcher((message, handle) => {
      if (message.type === 'framework:connection' && handle instanceof Socket) take(handle)
      else if (message.type === 'framework:listening') resolve({ port: message.port, stop })
      else if (message.type === 'framework:left') left.resolve()
      else if (message.type === 'framework:refused') {
        end()
        const { code, message: reason } = message
        reject(new ListenError(host, port, Object.assign(new Error(reason), { code })))
      }
    })
    const end = (): void => {
      unsubscribe()
      isClaimed = false
    }
    // The reply comes after every connection that was sent before it.
    const stop = async (): Promise<void> => {
      const timer = setTimeout(left.resolve, process.connected ? maxWaitMs : 0)
      sendToWatcher({ type: 'framework:leave' })
      await left.promise
      clearTimeout(timer)
      end()
    }
    sendToWatcher({ type: 'framework:listen', host, port, secure })
  })
}
