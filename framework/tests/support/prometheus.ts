import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { findPrometheusProgram } from './prometheus-programs.ts'
import { programMissing } from './test-programs.ts'
import { waitFor } from './wait-for.ts'

const program = findPrometheusProgram('prometheus')

/** Why tests with a real Prometheus are skipped; false when they are not. */
export const prometheusMissing: string | false = program === null && programMissing('Prometheus')

/** A sample of a query result. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A Prometheus that scrapes one server. */
export interface Prometheus {
  /** The result of an instant query. */
  readonly query: (expression: string) => Promise<readonly Sample[]>
}

/** Starts a real Prometheus that scrapes `/metrics` of a port on this machine, until the test ends. */
export async function startPrometheus(t: TestContext, target: number): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-prometheus-'))
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    `global: { scrape_interval: 2s, scrape_timeout: 2s }\n` +
      `scrape_configs: [{ job_name: framework, static_configs: [{ targets: ['127.0.0.1:${target}'] }] }]\n`,
  )
  const port = await freePort()
  const child = spawn(
    program ?? '',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${port}`
  await waitFor('Prometheus', () => isReady(origin))
  return { query: (expression) => query(origin, expression) }
}

async function isReady(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/-/ready`)).ok
  } catch {
    return false
  }
}

async function query(origin: string, expression: string): Promise<readonly Sample[]> {
  const answer = await fetch(`${origin}/api/v1/query?query=${encodeURIComponent(expression)}`)
  const { status, data, error } = Object(await answer.json())
  if (status !== 'success') throw new Error(`Prometheus: ${error}`)
  return data.result.map(
    ({ metric, value }: { metric: Sample['labels']; value: [number, string] }) => ({
      labels: metric,
      value: Number(value[1]),
    }),
  )
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(isAddress(address) ? address.port : 0))
    })
  })
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
