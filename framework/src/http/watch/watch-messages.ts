import { isMessage } from '../../base/is-record.ts'
import { inFleet } from '../server/fleet/workers.ts'

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
  return isChild && !inFleet()
}

/** Sends a message to the watching process, if there is one. */
export function sendToWatcher(message: MessageToWatcher): void {
  if (isWatched()) process.send?.(message)
}

/** Calls back with the messages of the watching process. Returns a function that stops it. */
export function onWatcher(
  listener: (message: MessageFromWatcher, handle: unknown) => void,
): () => void {
  const receive = (message: unknown, handle: unknown): void => {
    if (isMessage<MessageFromWatcher>(message, ...typesFrom)) listener(message, handle)
  }
  process.on('message', receive)
  return () => process.off('message', receive)
}

/** Whether this is a message of a watched server. */
export function isMessageToWatcher(message: unknown): message is MessageToWatcher {
  const types = ['framework:listen', 'framework:leave', 'framework:live'] as const
  return isMessage<MessageToWatcher>(message, ...types)
}

const typesFrom = [
  'framework:listening',
  'framework:refused',
  'framework:connection',
  'framework:left',
  'framework:changed',
] as const
