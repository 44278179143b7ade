import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { nodeHttp } from './node-http.ts'

/** Finds the pending response of a connection; null if there is none. */
export type DueResponse = (socket: Duplex) => ServerResponse | null

/** Reads the pending response from `_httpMessage`, an undocumented field of Node. */
export function dueResponse(socket: Duplex): ServerResponse | null {
  const due: unknown = Reflect.get(socket, '_httpMessage')
  return due instanceof nodeHttp.ServerResponse ? due : null
}

/** Pending responses by connection, for a Node without that field. */
export class DueResponses {
  readonly #pending = new WeakMap<Duplex, Set<ServerResponse>>()

  add(socket: Duplex, response: ServerResponse): void {
    const pending = this.#pending.get(socket) ?? new Set()
    this.#pending.set(socket, pending.add(response))
    const forget = (): void => void pending.delete(response)
    response.once('finish', forget).once('close', forget)
  }

  first(socket: Duplex): ServerResponse | null {
    const [first = null] = this.#pending.get(socket) ?? []
    return first
  }
}

/** The field that `dueResponse` needs, if this Node lacks it; otherwise null. */
export function probeDueResponse(socket: Socket = new Socket()): string | null {
  const response = new nodeHttp.ServerResponse(new nodeHttp.IncomingMessage(socket))
  try {
    response.assignSocket(socket)
  } catch {
    return '_httpMessage'
  }
  return dueResponse(socket) === response ? null : '_httpMessage'
}
