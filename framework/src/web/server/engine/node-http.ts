import type * as Http from 'node:http'

/**
 * `node:http` as an object. An `import` of its values reads every export to build the ES facade, and
 * one of them, the lazy `WebSocket`, loads all of undici: some 40 ms of start-up for nothing.
 */
export const nodeHttp: typeof Http = process.getBuiltinModule('node:http')
