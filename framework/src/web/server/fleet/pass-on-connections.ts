import type { EventEmitter } from 'node:events'

/** What of a worker of `node:cluster` its connections depend on. */
export interface ConnectedWorker extends EventEmitter {
  readonly process: EventEmitter & { send(message: object): unknown }
  disconnect(): unknown
}

/** What is done about the connections of a worker that dies. */
export interface PassOnOptions {
  /** Who takes them over; they are closed if there is nobody. */
  readonly heir: () => ConnectedWorker | undefined
  /** Is told which message of this Node is unlike those below, so that connections may be lost. */
  readonly onUnknown: (message: string) => void
}

/**
 * Saves the connections that are on their way to a worker when it dies: they go to an heir instead.
 * `node:cluster` would forget them, and their clients wait for ever. The messages by which it hands
 * them over are not documented, so it is checked that they look as they should: when the worker
 * listens, which takes a question and an answer of the same kind, and with each connection.
 */
export function passOnConnections(
  worker: ConnectedWorker,
  { heir, onUnknown }: PassOnOptions,
): void {
  const { process: child } = worker
  const send = child.send.bind(child)
  const underway = new Map<unknown, { readonly message: object; readonly connection: unknown }>()
  const seen = { question: false, answer: false }
  Reflect.set(child, 'send', (message: object, connection?: unknown, ...rest: unknown[]) => {
    if ('act' in message && message.act === 'newconn' && 'seq' in message) {
      underway.set(message.seq, { message, connection })
    } else if ('ack' in message) seen.answer = true
    else if (isClusterMessage(message) && isHandle(connection)) onUnknown('newconn')
    return Reflect.apply(send, child, [message, connection, ...rest])
  })
  child.on('internalMessage', (message: object) => {
    if ('ack' in message) underway.delete(message.ack)
    else if ('act' in message && 'seq' in message) seen.question = true
  })
  worker.once('listening', () => {
    if (!seen.question) onUnknown('internalMessage')
    else if (!seen.answer) onUnknown('ack')
  })
  // It has ended, and everything it had said is heard.
  child.once('close', () => {
    if (underway.size === 0) return
    // Node still waits for the dead to take them, and counts it among those who listen.
    worker.disconnect()
    const next = heir()
    for (const { message, connection } of underway.values()) {
      // An heir that does not listen yet says so, and Node chooses again.
      if (next !== undefined)
        Reflect.apply(next.process.send.bind(next.process), null, [message, connection])
      else if (isHandle(connection)) connection.close()
    }
  })
}

function isClusterMessage(message: object): boolean {
  return 'cmd' in message && message.cmd === 'NODE_CLUSTER'
}

function isHandle(connection: unknown): connection is { close(): void } {
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'close' in connection &&
    typeof connection.close === 'function'
  )
}
