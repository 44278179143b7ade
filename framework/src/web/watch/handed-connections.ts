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
  /** Takes no more of them. */
  readonly stop: () => void
}

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
    const unsubscribe = onWatcher((answer, handle) => {
      if (answer.type === 'framework:connection' && handle instanceof Socket) take(handle)
      else if (answer.type === 'framework:listening') resolve({ port: answer.port, stop })
      else if (answer.type === 'framework:refused') {
        stop()
        const { code, message } = answer
        reject(new ListenError(host, port, Object.assign(new Error(message), { code })))
      }
    })
    const stop = (): void => {
      unsubscribe()
      isClaimed = false
    }
    askWatcher({ type: 'framework:listen', host, port, secure })
  })
}
