import { isRecord } from './is-record.ts'

/** Calls the given functions when it closes, in reverse order; a server is one. */
export interface ClosingHost {
  onClose(closer: () => unknown): unknown
}

/** Makes the host close each service that has a `close()` method. */
export function closeServices(host: ClosingHost, services: object): void {
  for (const service of new Set<unknown>(Object.values(services))) {
    if (isCloseable(service)) host.onClose(() => service.close())
  }
}

function isCloseable(service: unknown): service is { close(): unknown } {
  return isRecord(service) && typeof service['close'] === 'function'
}
