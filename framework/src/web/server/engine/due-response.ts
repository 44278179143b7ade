import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { nodeHttp } from './node-http.ts'

/** Finds the response that is due on a connection; null when nothing is. */
export type DueResponse = (socket: Duplex) => ServerResponse | null

/** Reads the due response from `_httpMessage`, an undocumented field in which Node keeps it. */
export function dueResponse(socket: Duplex): ServerResponse | null {
  const due: unknown = Reflect.get(socket, '_httpMessage')
  return due instanceof nodeHttp.ServerResponse ? due : null
}

/** The due responses of connections without that field: each request is remembered and forgotten. */
export class DueResponses {
  readonly #unanswered = new WeakMap<Duplex, Set<ServerResponse>>()

  add(socket: Duplex, response: ServerResponse): void {
    const unanswered = this.#unanswered.get(socket) ?? new Set()
    this.#unanswered.set(socket, unanswered.add(response))
    const forget = (): void => void unanswered.delete(response)
    response.once('finish', forget).once('close', forget)
  }

  first(socket: Duplex): ServerResponse | null {
    const [first = null] = this.#unanswered.get(socket) ?? []
    return first
  }
}

/** The field `dueResponse` needs and this Node lacks; null when it is there. */
export function probeDueResponse(socket: Socket = new Socket()): string | null {
  const response = new nodeHttp.ServerResponse(new nodeHttp.IncomingMessage(socket))
  try {
    response.assignSocket(socket)
  } catch {
    return '_httpMessage'
  }
  return dueResponse(socket) === response ? null : '_httpMessage'
}
