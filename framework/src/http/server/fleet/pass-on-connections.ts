import type { EventEmitter } from 'node:events'
import { isRecord } from '../../../base/is-record.ts'

/** The parts of a `node:cluster` worker that this uses. */
export interface ConnectedWorker extends EventEmitter {
  readonly process: EventEmitter & { send(message: object): unknown }
  disconnect(): unknown
}

interface PassOnOptions {
  /** The worker that takes them over, which listens; if there is none, they are closed. */
  readonly heir: () => ConnectedWorker | undefined
  /** Called with a message of Node that has an unexpected form, so that connections may be lost. */
  readonly onUnknown: (message: string) => void
}

/**
 * Passes connections that are on their way to a dying worker to another worker. `node:cluster` would
 * lose them, and their clients would wait forever. The messages it hands them over with are not
 * documented, so their form is checked: when the worker starts listening, and with each connection.
 */
export function passOnConnections(
  worker: ConnectedWorker,
  { heir, onUnknown }: PassOnOptions,
): void {
  const { process: child } = worker
  const send = child.send.bind(child)
  const underway = new Map<unknown, { readonly message: object; readonly connection: unknown }>()
  const seen = { request: false, ack: false }
  Reflect.set(child, 'send', (message: object, connection?: unknown, ...rest: unknown[]) => {
    if ('act' in message && message.act === 'newconn' && 'seq' in message) {
      underway.set(message.seq, { message, connection })
    } else if ('ack' in message) seen.ack = true
    else if (Reflect.get(message, 'cmd') === 'NODE_CLUSTER' && isHandle(connection)) {
      onUnknown('newconn')
    }
    return Reflect.apply(send, child, [message, connection, ...rest])
  })
  child.on('internalMessage', (message: object) => {
    if ('ack' in message) underway.delete(message.ack)
    else if ('act' in message && 'seq' in message) seen.request = true
  })
  worker.once('listening', () => {
    if (!seen.request) onUnknown('internalMessage')
    else if (!seen.ack) onUnknown('ack')
  })
  // The worker has ended, and all its messages have been received.
  child.once('close', () => {
    if (underway.size === 0) return
    // Node still waits for the dead worker to accept them, and counts it as listening.
    worker.disconnect()
    const next = heir()
    for (const { message, connection } of underway.values()) {
      if (next !== undefined)
        Reflect.apply(next.process.send.bind(next.process), null, [message, connection])
      else if (isHandle(connection)) connection.close()
    }
  })
}

function isHandle(connection: unknown): connection is { close(): void } {
  return isRecord(connection) && typeof connection['close'] === 'function'
}
