import { freePort } from '../../framework/tests/support/free-port.ts'
import { AskedProcess } from '../method/asked-process.ts'
import type { LoadRequest } from '../method/load.ts'
import type { Pin } from '../method/pinning.ts'
import type { Contest, Entrant } from './contests.ts'
import type { Stage } from './stage.ts'
import { answer, beginning, formPath, isFormPage, measured, rowsPath, visitors } from './visitor.ts'

/** What a visitor comes with. */
interface Ticket {
  readonly cookie: string
  readonly token: string
}

/** A server under test in its own process, with sessions in its store. */
export class ServerProcess {
  readonly entrant: Entrant
  /** What it is measured with. */
  readonly request: LoadRequest
  readonly #isRight: (text: string) => boolean
  readonly #process: AskedProcess

  private constructor(
    entrant: Entrant,
    request: LoadRequest,
    isRight: (text: string) => boolean,
    process: AskedProcess,
  ) {
    this.entrant = entrant
    this.request = request
    this.#isRight = isRight
    this.#process = process
  }

  /** @throws Error when the process ends before its port is open, or gives no session. */
  static async start(
    entrant: Entrant,
    { request: kind }: Contest,
    stage: Stage,
    pin: Pin,
  ): Promise<ServerProcess> {
    const { label, server, parts } = entrant
    const port = await freePort()
    const script = `${import.meta.dirname}/servers/${server}.ts`
    const env = { SESSIONS_BENCHMARK_REDIS: stage.redis, SESSIONS_BENCHMARK_FILE: stage.newFile() }
    const asked = await AskedProcess.start(script, [String(port), ...parts], { label, pin, env })
    try {
      const origin = `http://127.0.0.1:${port}`
      const isPage = kind === 'guest' || kind === 'newcomer'
      const ticket = await (isPage ? pageTicket(origin) : lastTicket(origin))
      const isKnown = ticket.cookie !== '' || ticket.token !== ''
      if (!isKnown && !parts.includes('none')) throw new Error(`"${label}" gave no session`)
      if (isPage) {
        const headers = kind === 'guest' ? { cookie: ticket.cookie } : {}
        return new ServerProcess(entrant, { url: origin + formPath, headers }, isFormPage, asked)
      }
      const request = requests[kind](origin + measured, ticket)
      return new ServerProcess(entrant, request, (text) => text === answer, asked)
    } catch (error) {
      await asked.stop()
      throw error
    }
  }

  /**
   * Asks once as the load will, and compares the answer, so that only equal work is compared.
   * @throws Error that names the difference.
   */
  async probe(): Promise<void> {
    const { url, method = 'GET', headers = {}, body = null } = this.request
    const came = await fetch(url, { method, headers: { ...headers, connection: 'close' }, body })
    const text = await came.text()
    if (came.status === 200 && this.#isRight(text)) return this.#checkRows()
    const wrong = `${came.status} ${text}`.slice(0, 200)
    throw new Error(`"${this.entrant.label}" answers ${wrong}, expected another page or value`)
  }

  /** @throws Error when guests with their sessions in cookies have left rows. */
  async #checkRows(): Promise<void> {
    if (!this.entrant.parts.includes('guests')) return
    const rows = await (await fetch(new URL(rowsPath, this.request.url))).text()
    if (rows !== '0') throw new Error(`"${this.entrant.label}" has ${rows} rows of guests`)
  }

  /** User and system time of the process since it started. */
  async cpuMicros(): Promise<number> {
    return (await this.#process.ask('usage', isUsage)).cpuMicros
  }

  /** Ends the process and waits until it has exited. */
  stop(): Promise<void> {
    return this.#process.stop()
  }
}

async function lastTicket(origin: string): Promise<Ticket> {
  let ticket: Ticket = { cookie: '', token: '' }
  for (let visitor = 0; visitor < visitors; visitor++) ticket = await takeTicket(origin)
  return ticket
}

async function pageTicket(origin: string): Promise<Ticket> {
  const response = await fetch(origin + formPath)
  await response.text()
  const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { cookie: pairs.join('; '), token: '' }
}

async function takeTicket(origin: string): Promise<Ticket> {
  const response = await fetch(origin + beginning)
  const body: unknown = await response.json()
  if (!response.ok) throw new Error(`${beginning} answered ${response.status}, expected 200`)
  const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0])
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : ''
  return { cookie: pairs.join('; '), token: String(token) }
}

function plainRequest(url: string, { cookie }: Ticket): LoadRequest {
  return { url, headers: { cookie } }
}

/** With an API token, or with the cookie of the session. */
function accountRequest(url: string, { cookie, token }: Ticket): LoadRequest {
  return { url, headers: token === '' ? { cookie } : { authorization: `Bearer ${token}` } }
}

/** The form as a browser sends it; a server that asks for no token gets one as long. */
function formRequest(url: string, { cookie, token }: Ticket): LoadRequest {
  const fields = new URLSearchParams({
    _token: token === '' ? 'x'.repeat(86) : token,
    title: 'A title of a few words',
    text: 'One line of text that somebody has typed.',
  })
  return {
    url,
    method: 'POST',
    headers: {
      cookie,
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(url).origin,
      'sec-fetch-site': 'same-origin',
    },
    body: fields.toString(),
  }
}

const requests = { value: plainRequest, form: formRequest, account: accountRequest } as const

function isUsage(message: unknown): message is { readonly cpuMicros: number } {
  return typeof message === 'object' && message !== null && 'cpuMicros' in message
}
