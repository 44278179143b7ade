import type { Server } from '../server/server.ts'

/** Has the server close each service that has a `close()` method, the last one first. */
export function closeServices(server: Server, services: object): void {
  for (const service of new Set<unknown>(Object.values(services))) {
    if (isCloseable(service)) server.onClose(() => service.close())
  }
}

function isCloseable(service: unknown): service is { close(): unknown } {
  return (
    typeof service === 'object' &&
    service !== null &&
    'close' in service &&
    typeof service.close === 'function'
  )
}
