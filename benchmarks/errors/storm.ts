import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { machineFacts } from '../method/machine-facts.ts'
import { markdownTable } from '../method/markdown-table.ts'
import { writeReport } from '../method/write-report.ts'

const kinds = ['calm', 'work', 'storm'] as const
const seconds = 5
const rate = 10_000
/** So many windows of each kind: 600,000 errors. */
const rounds = 12

/**
 * Reports 600,000 errors to an inbox that tells of them, and asks the same server for a page meanwhile; the exit
 * status. Windows of a storm, of other work that takes as much CPU, and of calm take turns.
 */
export async function runStorm(args: string[]): Promise<number> {
  const turns = args.includes('--quick') ? 2 : rounds
  const messages: string[] = []
  const receiver = createServer((request, response) => {
    void text(request).then((body) => messages.push(body) && response.end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const root = mkdtempSync(join(tmpdir(), 'storm-'))
  const child = fork(
    join(import.meta.dirname, 'storm-server.ts'),
    [`http://127.0.0.1:${portOf(receiver.address())}/`, String(rate), String(seconds)],
    {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', PORT: '0', APP_URL: 'https://shop.example.org' },
      execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  try {
    const [{ port }] = await once(child, 'message')
    const times: Record<string, number[]> = { calm: [], work: [], storm: [] }
    let last = { reported: 0, cpuMicros: 0, mails: 0 }
    for (let round = -1; round < turns; round += 1) {
      for (const kind of kinds.toSorted(() => Math.random() - 0.5)) {
        const window: number[] = []
        const asking = ask(port, window)
        child.send(kind)
        ;[last] = await once(child, 'message')
        asking.stop()
        // The first round warms up.
        if (round >= 0) times[kind]?.push(...window)
      }
    }
    // Whatever is new in the last window is told, too.
    await sleep(20_000)
    child.send('end')
    await once(child, 'exit')
    const named = messages.map((body) => JSON.parse(body).data.news.length)
    const report = [
      '# Storm of errors\n',
      'Written by `npm run bench -- storm`. A server with an error inbox that tells by mail and webhook gets a request every 5 ms, while in the same process errors are reported, other work takes as much CPU, or nothing else happens; windows of each kind take turns at random.\n',
      ...machineFacts().map((fact) => `- ${fact}`),
      `- Errors: ${last.reported.toLocaleString('en')}, a fifth of them each of a group of its own, ${rate.toLocaleString('en')} a second; ${last.cpuMicros.toFixed(1)} µs of CPU each`,
      `- Webhooks received: ${messages.length}, with ${named.join(', ')} groups by name; mails: ${last.mails}\n`,
      markdownTable(
        ['Meanwhile', 'Requests', 'p50 ms', 'p99 ms', 'p99.9 ms'],
        kinds.map((kind) => {
          const sorted = (times[kind] ?? []).toSorted((a, b) => a - b)
          const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
          return [kind, String(sorted.length), at(0.5), at(0.99), at(0.999)]
        }),
      ),
    ].join('\n')
    console.log(report)
    if (turns === rounds) await writeReport('storm', report)
    return messages.length <= 3 && messages.length > 0 ? 0 : 1
  } finally {
    child.kill('SIGKILL')
    receiver.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** A request every 5 ms, whether or not the last one was answered. */
function ask(port: number, times: number[]): { readonly stop: () => void } {
  const agent = new Agent({ keepAlive: true })
  const timer = setInterval(() => {
    const startMs = performance.now()
    get({ port, agent }, (response) => {
      response.resume().on('end', () => times.push(performance.now() - startMs))
    }).on('error', () => times.push(Infinity))
  }, 5)
  return {
    stop() {
      clearInterval(timer)
      setTimeout(() => agent.destroy(), 1_000)
    },
  }
}

function portOf(address: unknown): number {
  return typeof address === 'object' && address !== null && 'port' in address
    ? Number(address.port)
    : 0
}
