import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Pin } from './pinning.ts'

/** What the load generator counted in one burst; every answer was a good one. */
export interface Burst {
  readonly requests: number
  readonly seconds: number
}

/** The request that is sent again and again. */
export interface LoadRequest {
  readonly url: string
  /** @default 'GET' */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** A file with the body, for one that does not fit into an argument. */
  readonly bodyFile?: string
}

/** A load generator: keeps connections busy with one request at a time each. */
export interface Load {
  readonly description: string
  /** @throws Error when any answer was bad or a socket failed: the run is then invalid. */
  burst(request: LoadRequest, connections: number, seconds: number): Promise<Burst>
}

const run = promisify(execFile)

/** `wrk` if it is on the PATH, else `autocannon` from the benchmarks' own install. */
export async function findLoad(pin: Pin): Promise<Load> {
  const version = await wrkVersion()
  return version === null ? autocannon(pin) : wrk(pin, version)
}

async function wrkVersion(): Promise<string | null> {
  try {
    // wrk shows its version with a usage text and status 1
    const { stdout } = await run('sh', ['-c', 'command -v wrk >/dev/null && wrk -v || true'])
    return /^wrk \S+/.exec(stdout)?.[0] ?? null
  } catch {
    return null
  }
}

function wrk(pin: Pin, version: string): Load {
  const script = `${import.meta.dirname}/wrk-report.lua`
  return {
    description: version,
    async burst({ url, method = 'GET', headers = {}, body = '', bodyFile }, connections, seconds) {
      const options = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', script]
      const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
      const content = [method, body, ...(bodyFile === undefined ? [] : [bodyFile])]
      const stdout = await output(pin(['wrk', ...options, ...lines, url, '--', ...content]))
      const report: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
      const { requests = 0, durationMicros = 0, badStatus, socketErrors } = numbersOf(report)
      refuseErrors(url, badStatus, socketErrors)
      return { requests, seconds: durationMicros / 1e6 }
    },
  }
}

function autocannon(pin: Pin): Load {
  const program = `${import.meta.dirname}/../node_modules/autocannon/autocannon.js`
  return {
    description: 'autocannon (wrk is not on the PATH; it takes less CPU and is preferred)',
    async burst({ url, method = 'GET', headers = {}, body, bodyFile }, connections, seconds) {
      const options = ['-c', String(connections), '-d', String(seconds), '--json', '--no-progress']
      const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
      const content = ['-m', method, ...(body === undefined ? [] : ['-b', body])]
      if (bodyFile !== undefined) content.push('-i', bodyFile)
      const command = [process.execPath, program, ...options, ...lines, ...content, url]
      const stdout = await output(pin(command))
      const totals: unknown = JSON.parse(stdout)
      const { errors = 0, timeouts = 0, non2xx = 0, duration = 0 } = numbersOf(totals)
      const { sent = 0, total = 0 } = numbersOf(partOf(totals, 'requests'))
      // it reconnects in silence when a server hangs up; only the requests in flight may be missing
      const lost = Math.max(0, sent - total - connections)
      refuseErrors(url, non2xx, errors + timeouts + lost)
      return { requests: total, seconds: duration }
    },
  }
}

async function output(command: readonly string[]): Promise<string> {
  const [program = '', ...args] = command
  const { stdout } = await run(program, args)
  return stdout
}

function numbersOf(report: unknown): Readonly<Record<string, number>> {
  if (typeof report !== 'object' || report === null) throw new Error('the load reported nothing')
  return Object.fromEntries(Object.entries(report).filter(([, value]) => typeof value === 'number'))
}

function partOf(report: unknown, name: string): unknown {
  if (typeof report !== 'object' || report === null) return null
  return Object.entries(report).find(([key]) => key === name)?.[1]
}

function refuseErrors(url: string, badStatus: number = 0, socketErrors: number = 0): void {
  if (badStatus === 0 && socketErrors === 0) return
  throw new Error(
    `the run is invalid: ${badStatus} answers without a 2xx status and ${socketErrors} socket ` +
      `errors from ${url}, expected none`,
  )
}
