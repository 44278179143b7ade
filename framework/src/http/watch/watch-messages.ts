import { isRecord } from '../../base/is-record.ts'
import cluster from 'node:cluster'

/** Environment variable of a server under `framework serve --watch`: the id of the process that watches. */
export const watchVariable = 'FRAMEWORK_WATCH'

/**
 * Message from a watched server: where it wants to listen, that it takes no more connections, or that it
 * wants to be told of changed pages.
 */
export type MessageToWatcher =
  | {
      readonly type: 'framework:listen'
      readonly host: string
      readonly port: number
      /** Whether it speaks TLS. */
      readonly secure: boolean
    }
  | { readonly type: 'framework:leave' }
  | { readonly type: 'framework:live' }

/** Message to a watched server. A message `connection` comes with a socket. */
export type MessageFromWatcher =
  | { readonly type: 'framework:listening'; readonly port: number }
  | { readonly type: 'framework:refused'; readonly code: string; readonly message: string }
  | { readonly type: 'framework:connection' }
  | { readonly type: 'framework:left' }
  | { readonly type: 'framework:changed'; readonly files: readonly string[] }

/**
 * Whether `framework serve --watch` has started this process and accepts its connections. The workers of
 * a fleet listen themselves.
 */
export function isWatched(): boolean {
  // Other processes that the server starts have the variable, but another parent.
  const isChild = process.connected && process.env[watchVariable] === String(process.ppid)
  return isChild && !cluster.isWorker
}

/** Sends a message to the watching process, if there is one. */
export function sendToWatcher(message: MessageToWatcher): void {
  if (isWatched()) process.send?.(message)
}

/** Calls back with the messages of the watching process. Returns a function that stops it. */
export function onWatcher(
  listener: (message: MessageFromWatcher, handle: unknown) => void,
): () => void {
  const receive = (received: unknown, handle: unknown): void => {
    const message = parseMessageFromWatcher(received)
    if (message !== null) listener(message, handle)
  }
  process.on('message', receive)
  return () => process.off('message', receive)
}

/** Parses a message from a watched server; null for other messages. */
export function parseMessageToWatcher(message: unknown): MessageToWatcher | null {
  if (!isRecord(message)) return null
  const { type, host, port, secure } = message
  if (type === 'framework:live' || type === 'framework:leave') return { type }
  if (type !== 'framework:listen' || typeof host !== 'string' || typeof port !== 'number')
    return null
  return { type, host, port, secure: secure === true }
}

function parseMessageFromWatcher(message: unknown): MessageFromWatcher | null {
  if (!isRecord(message)) return null
  const { type } = message
  switch (type) {
    case 'framework:listening':
      return { type, port: Number(message['port']) }
    case 'framework:refused':
      return { type, code: String(message['code']), message: String(message['message']) }
    case 'framework:connection':
    case 'framework:left':
      return { type }
    case 'framework:changed': {
      const files: unknown = message['files']
      return { type, files: Array.isArray(files) ? files.map(String) : [] }
    }
    default:
      return null
  }
}
