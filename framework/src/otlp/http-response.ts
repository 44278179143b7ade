/** The response of a collector, as far as it is needed. */
export interface ReadResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** Whether another request may follow on the connection. */
  readonly isReusable: boolean
}

/** Heads of collectors are shorter. */
const maxHead = 16_384
/** Of a longer body the rest is not read. */
const maxBody = 65_536
const endOfHead = '\r\n\r\n'

interface Head {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly isKept: boolean
}

/**
 * The response that these bytes begin with; null as long as it is not complete. `isEnd` says that nothing
 * follows.
 * @throws Error unless they are an HTTP/1 response.
 */
export function readResponse(bytes: Buffer, isEnd: boolean): ReadResponse | null {
  let start = 0
  for (;;) {
    const end = bytes.indexOf(endOfHead, start, 'latin1')
    if (end === -1) {
      const isTooLong = start > maxHead || bytes.length - start > maxHead
      if (isTooLong || isEnd) throw new Error('no HTTP response')
      return null
    }
    const head = parseHead(bytes.toString('latin1', start, end))
    start = end + endOfHead.length
    // Others announce one that follows.
    if (head.status >= 200) return withBody(head, bytes.subarray(start), isEnd)
  }
}

function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n')
  const [, version = '', status = ''] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(first) ?? []
  if (status === '') throw new Error('no HTTP response')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    if (name !== '') headers.set(name, line.slice(colon + 1).trim())
  }
  const isKept = version === '1' && headers.get('connection')?.toLowerCase() !== 'close'
  return { status: Number(status), headers, isKept }
}

function withBody(head: Head, rest: Buffer, isEnd: boolean): ReadResponse | null {
  const { status, headers, isKept } = head
  const length = status === 204 || status === 304 ? '0' : headers.get('content-length')
  const read = (body: Buffer, isWhole: boolean): ReadResponse => {
    return { status, headers, body: body.subarray(0, maxBody), isReusable: isKept && isWhole }
  }
  if (headers.has('transfer-encoding')) {
    const { body, used } = readChunks(rest)
    if (used !== null) return read(body, used === rest.length)
    return isEnd || rest.length > maxBody ? read(body, false) : null
  }
  const bytes = /^\d{1,15}$/.test(length ?? '') ? Number(length) : Number.POSITIVE_INFINITY
  if (rest.length >= bytes) return read(rest.subarray(0, bytes), rest.length === bytes)
  return isEnd || rest.length >= maxBody ? read(rest, false) : null
}

/** What chunks contain, and how many bytes they take; null if the last one has not come. */
function readChunks(bytes: Buffer): { readonly body: Buffer; readonly used: number | null } {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at, 'latin1')
    const size =
      end === -1 ? '' : (/^[0-9a-f]{1,8}/i.exec(bytes.toString('latin1', at, end))?.[0] ?? '')
    const start = end + 2
    const length = Number.parseInt(size, 16)
    if (length === 0) {
      // Fields may follow the last one; nobody needs them.
      const last = bytes.indexOf(endOfHead, end, 'latin1')
      return { body: Buffer.concat(parts), used: last === -1 ? null : last + endOfHead.length }
    }
    if (size === '' || bytes.length < start + length + 2) {
      if (size !== '') parts.push(bytes.subarray(start, start + length))
      return { body: Buffer.concat(parts), used: null }
    }
    parts.push(bytes.subarray(start, start + length))
    at = start + length + 2
  }
}
