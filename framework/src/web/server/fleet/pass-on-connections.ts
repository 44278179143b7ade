import type { Worker } from 'node:cluster'

/**
 * Saves the connections that are on their way to a worker when it dies: they go to an heir instead,
 * or are closed if there is none. `node:cluster` would forget them, and their clients wait for ever.
 */
export function passOnConnections(worker: Worker, heir: () => Worker | undefined): void {
  const { process: child } = worker
  const send = child.send.bind(child)
  const underway = new Map<unknown, { readonly message: object; readonly connection: unknown }>()
  Reflect.set(child, 'send', (message: object, connection?: unknown, ...rest: unknown[]) => {
    if ('act' in message && message.act === 'newconn' && 'seq' in message) {
      underway.set(message.seq, { message, connection })
    }
    return Reflect.apply(send, child, [message, connection, ...rest])
  })
  child.on('internalMessage', (message: object) => {
    if ('ack' in message) underway.delete(message.ack)
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
      else close(connection)
    }
  })
}

function close(connection: unknown): void {
  if (typeof connection !== 'object' || connection === null || !('close' in connection)) return
  if (typeof connection.close === 'function') connection.close()
}
