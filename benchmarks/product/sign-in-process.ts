import { Agent, request } from 'node:http'
import { CookieJar, type Exchanged, tokenIn } from './exchange.ts'
import { member } from './plant.ts'
import type { SignIns } from './sign-in-load.ts'

process.on('message', (message: SignIns) => {
  void run(message).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function run({ origin, seconds, connections, rate }: SignIns): Promise<object> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  const failures: string[] = []
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  const once = async (): Promise<void> => {
    const sinceMs = performance.now()
    const failure = await signIn(origin, agent).catch(String)
    if (failure === null) times.push(performance.now() - sinceMs)
    else failures.push(failure)
  }
  const repeatedly = async (): Promise<void> => {
    while (performance.now() < endMs) await once()
  }
  if (rate === null) await Promise.all(Array.from({ length: connections ?? 1 }, repeatedly))
  else await atPace(rate, endMs, once)
  const tookMs = performance.now() - startMs
  agent.destroy()
  times.sort((a, b) => a - b)
  const p99Ms = times[Math.floor(times.length * 0.99)] ?? Number.NaN
  return { signIns: times.length, seconds: tookMs / 1000, p99Ms, failures }
}

/** Begins something again and again, whether or not the last one is over. */
async function atPace(rate: number, endMs: number, begin: () => Promise<void>): Promise<void> {
  const begun: Promise<void>[] = []
  while (performance.now() < endMs) {
    begun.push(begin())
    const pauseMs = (-Math.log(1 - Math.random()) * 1000) / rate
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  await Promise.all(begun)
}

/** Signs in once, and resolves with what went wrong. */
async function signIn(origin: string, agent: Agent): Promise<string | null> {
  const url = `${origin}/login`
  const jar = new CookieJar()
  const page = await send(url, agent, {}, null)
  jar.take(page)
  const token = tokenIn(page.text)
  if (token === null) return `the form answers ${page.status} without a token`
  const { email, password } = member
  const body = new URLSearchParams({ [token.name]: token.value, email, password }).toString()
  const headers = {
    cookie: jar.header,
    origin,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  }
  const entered = await send(url, agent, headers, body)
  if (entered.headers.location?.endsWith('/account') === true) return null
  return `the form sent answers ${entered.status} ${entered.text.slice(0, 100)}`
}

function send(
  url: string,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
  body: string | null,
): Promise<Omit<Exchanged, 'body'>> {
  const method = body === null ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, text })
      })
    })
    asked.on('error', reject)
    asked.end(body ?? undefined)
  })
}
