/** One response, parsed from the bytes of a connection. */
export interface RawAnswer {
  readonly status: number
  /** The header lines, as received. */
  readonly lines: readonly string[]
  readonly body: string
  /** The value of a header; undefined unless it was sent exactly once. */
  header(name: string): string | undefined
}

/**
 * Splits received bytes into responses by their framing.
 * @throws Error when bytes are left over or missing.
 */
export function rawAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = received
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]
    if (end === -1 || status === undefined) {
      throw new Error(`not an answer: ${JSON.stringify(rest.slice(0, 200))}`)
    }
    const header = (name: string): string | undefined => onlyValue(lines, name)
    const { body, length } = bodyOf(rest.slice(end + 4), Number(status), header)
    answers.push({ status: Number(status), lines, body, header })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}

/** The only response in the bytes. @throws Error unless there is exactly one. */
export function rawAnswer(received: string): RawAnswer {
  const [answer, ...others] = rawAnswers(received)
  if (answer === undefined || others.length > 0) {
    throw new Error(`expected one answer, got ${JSON.stringify(received.slice(0, 2000))}`)
  }
  return answer
}

function onlyValue(lines: readonly string[], name: string): string | undefined {
  const prefix = `${name.toLowerCase()}:`
  const found = lines.filter((line) => line.toLowerCase().startsWith(prefix))
  return found.length === 1 ? found[0]?.slice(prefix.length).trim() : undefined
}

function bodyOf(
  rest: string,
  status: number,
  header: (name: string) => string | undefined,
): { body: string; length: number } {
  if (status < 200 || status === 204 || status === 304) return { body: '', length: 0 }
  if (header('transfer-encoding') === 'chunked') return unchunk(rest)
  const announced = header('content-length')
  const length = announced === undefined ? rest.length : Number(announced)
  if (rest.length < length) throw new Error(`${length - rest.length} bytes of the body are missing`)
  return { body: rest.slice(0, length), length }
}

function unchunk(rest: string): { body: string; length: number } {
  let body = ''
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd === -1) throw new Error('the last chunk is missing')
    const size = Number.parseInt(rest.slice(at, lineEnd), 16)
    const start = lineEnd + 2
    if (size === 0) return { body, length: start + 2 }
    if (rest.length < start + size + 2) throw new Error('a chunk is cut off')
    body += rest.slice(start, start + size)
    at = start + size + 2
  }
}
