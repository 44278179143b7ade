import { nodeHttp } from './node-http.ts'

const lines: string[] = []

/** The status line of a response. */
export function statusLine(status: number): string {
  const known = lines[status]
  if (known !== undefined) return known
  const line = `HTTP/1.1 ${status} ${statusText(status)}\r\n`
  lines[status] = line
  return line
}

/** The standard phrase of a status: "Not Found" for 404. */
export function statusText(status: number): string {
  return nodeHttp.STATUS_CODES[status] ?? 'Unknown'
}

/** Whether responses with that status never have a body. */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 304 || status < 200
}
