import { createServer, request as ask } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Finding } from './finding.ts'
import { Guest } from './guest.ts'

/** No response may take this many seconds, even during a scan. */
const maxSeconds = 8

/** The page that fails on purpose. */
const failsOnPurpose = '/error'

/**
 * A proxy between a scanner and the site, because scanners support neither CSRF tokens nor secure
 * cookies on loopback: unsafe requests get a token, all requests get the
 * session of one visitor, and bodies pass unchanged. It also watches the responses.
 */
export class Relay {
  readonly findings: Finding[] = []
  /** Responses by status: a scan that met only refusals has tested nothing. */
  readonly statuses: Map<number, number> = new Map()
  readonly #site: URL
  readonly #guest: Guest
  readonly #server: Server
  #last: Promise<unknown> = Promise.resolve()
  #isDoubtful: boolean

  private constructor(site: string, signsIn: boolean) {
    this.#site = new URL(site)
    this.#guest = new Guest(site, { signsIn })
    this.#isDoubtful = signsIn
    this.#server = createServer((request, response) => {
      // One at a time: a visitor has one session, and the result of a form is on the next page.
      this.#last = this.#last.then(() => this.#pass(request, response)).catch(() => undefined)
    })
  }

  /** Starts a relay for a guest or a signed-in visitor. */
  static async open(
    site: string,
    { signsIn = false }: { readonly signsIn?: boolean } = {},
  ): Promise<Relay> {
    const relay = new Relay(site, signsIn)
    await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve))
    return relay
  }

  get url(): string {
    const { port } = addressOf(this.#server)
    return `http://127.0.0.1:${port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const startedMs = performance.now()
    try {
      const answer = await this.#forward(request, body)
      const content = await buffer(answer)
      this.#judge(request, answer.statusCode ?? 0, (performance.now() - startedMs) / 1000)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      response.end(content)
    } catch (error) {
      this.#tell(request, 'no answer', String(error))
      response.writeHead(502).end()
    }
  }

  async #forward(request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { method = 'GET', url = '/', headers } = request
    const isSafe = method === 'GET' || method === 'HEAD'
    const own: Record<string, string> = {}
    if (!isSafe) own['x-csrf-token'] = await this.#guest.token()
    else if (this.#isDoubtful) await this.#guest.token()
    // A cookie set by the scanner itself is what it wants to test.
    const cookie = headers.cookie === undefined ? {} : { cookie: headers.cookie }
    const { hostname, port, host } = this.#site
    // A scanner may accept compressed responses and then find nothing in them.
    const plain = { 'accept-encoding': 'identity', host }
    const sent = { ...headers, ...this.#guest.headers(), ...own, ...cookie, ...plain }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, hostname, port, path: url, headers: sent, timeout: 30_000 }
      const outgoing = ask(options, resolve).once('error', reject)
      outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in 30 seconds')))
      outgoing.end(body)
    })
    const isChanged = this.#guest.keep(answer.headers['set-cookie'] ?? [])
    this.#isDoubtful = !isSafe && isChanged
    return answer
  }

  #judge(request: IncomingMessage, status: number, seconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    const isExpected = request.url?.split('?')[0] === failsOnPurpose
    if (status >= 500 && !isExpected) this.#tell(request, 'server error', `status ${status}`)
    if (seconds > maxSeconds) this.#tell(request, 'slow answer', `${seconds.toFixed(1)} s`)
  }

  #tell({ method, url }: IncomingMessage, kind: string, detail: string): void {
    this.findings.push({ by: 'relay', kind, where: `${method} ${url}`, detail })
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address !== null && typeof address === 'object') return address
  throw new Error('the relay is not open')
}
