import { Agent, request } from 'node:http'
import type { OutgoingHttpHeaders } from 'node:http'
import { tokenOn } from '../../src/testing/read-page.ts'

/** A response, and how long it took. */
interface Timed {
  readonly status: number
  readonly cookies: readonly string[]
  readonly text: string
  readonly ms: number
}

/** A stranger who asks for a mail and looks at everything that the server lets see. */
export class Stranger {
  readonly #url: string
  readonly #form: string
  // One connection each, as a patient observer has: connecting takes longer than what is measured.
  readonly #main = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #other = new Agent({ keepAlive: true, maxSockets: 1 })
  #count = 0

  /** `form` is the path that asks for a mail. */
  constructor(url: string, form: string) {
    this.#url = url
    this.#form = form
  }

  /** Requests a mail; returns what each probe showed, by its name. */
  async probe(email: string): Promise<ReadonlyMap<string, number>> {
    const forwarded = { 'x-forwarded-for': this.#nextPeer() }
    const form = await this.#ask(this.#form, forwarded)
    const cookie = form.cookies.map((line) => line.split(';')[0]).join('; ')
    const headers = { ...forwarded, cookie, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ _token: tokenOn(form.text), email }).toString()
    const before = await this.#metrics()
    const answer = await this.#ask(this.#form, headers, body)
    if (answer.status !== 303) throw new Error(`${this.#form} answered ${answer.status}`)
    const [next, health] = await Promise.all([this.#ask('/login', headers), this.#health(16)])
    // Longer than the work behind the response takes, which then counts in the metrics.
    await this.#health(256)
    const after = await this.#metrics()
    const changes = [...after].map(([name, value]): [string, number] => [
      name,
      value - (before.get(name) ?? 0),
    ])
    return new Map([['response', answer.ms], ['next', next.ms], ['health', health], ...changes])
  }

  close(): void {
    this.#main.destroy()
    this.#other.destroy()
  }

  #nextPeer(): string {
    this.#count += 1
    // Each in a network of its own, for limits by network.
    return `100.${this.#count >> 8}.${this.#count & 255}.9`
  }

  async #health(times: number): Promise<number> {
    let ms = 0
    for (let time = 0; time < times; time += 1) {
      ms += (await this.#ask('/health', {}, null, this.#other)).ms
    }
    return ms
  }

  /** The value of every series. */
  async #metrics(): Promise<ReadonlyMap<string, number>> {
    const { text } = await this.#ask('/metrics')
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(
      lines.map((line): [string, number] => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
    )
  }

  #ask(
    path: string,
    headers: OutgoingHttpHeaders = {},
    body: string | null = null,
    agent: Agent = this.#main,
  ): Promise<Timed> {
    return new Promise((resolve, reject) => {
      const startMs = performance.now()
      const method = body === null ? 'GET' : 'POST'
      const asked = request(new URL(path, this.#url), { agent, method, headers }, (answer) => {
        const cookies = answer.headers['set-cookie'] ?? []
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const ms = performance.now() - startMs
          const text = Buffer.concat(chunks).toString()
          resolve({ status: answer.statusCode ?? 0, cookies, text, ms })
        })
      })
      asked.on('error', reject).end(body ?? undefined)
    })
  }
}

/**
 * How well a value tells the two groups apart: the probability that one of the first is larger than one
 * of the second. 0.5 tells nothing, 0 and 1 tell everything.
 */
export function areaUnderCurve(first: readonly number[], second: readonly number[]): number {
  let wins = 0
  for (const one of first) {
    for (const other of second) wins += one > other ? 1 : one === other ? 0.5 : 0
  }
  return wins / (first.length * second.length)
}
