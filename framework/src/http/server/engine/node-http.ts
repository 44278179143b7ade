import type * as Http from 'node:http'

/**
 * `node:http` as an object. An `import` would read every export, and one of them, the lazy `WebSocket`,
 * loads all of undici: about 40 ms of start-up time for nothing.
 */
export const nodeHttp: typeof Http = process.getBuiltinModule('node:http')

/** The standard phrase of a status: "Not Found" for 404. */
export function statusText(status: number): string {
  return nodeHttp.STATUS_CODES[status] ?? 'Unknown'
}
