import { nodeHttp } from './node-http.ts'

/** The standard phrase of a status: "Not Found" for 404. */
export function statusText(status: number): string {
  return nodeHttp.STATUS_CODES[status] ?? 'Unknown'
}
