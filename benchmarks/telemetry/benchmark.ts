import { AskedProcess } from '../method/asked-process.ts'
import { findLoad } from '../method/load.ts'
import { machineFacts } from '../method/machine-facts.ts'
import { findPinning } from '../method/pinning.ts'
import { figureOf, median } from '../method/statistics.ts'
import { isMissed, judge, targetsSection } from '../method/targets.ts'
import type { Target } from '../method/targets.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { parseOptions } from './options.ts'

const port = 9377
const url = `http://127.0.0.1:${port}/json`
const most = 0.03

/** One round: what a request costs with telemetry and without, in microseconds of CPU. */
interface Round {
  readonly on: number
  readonly off: number
}

/** Measures what telemetry costs a request, prints the report and writes it; the exit status. */
export async function runTelemetry(args: string[]): Promise<number> {
  const { rounds, windowMs, check } = parseOptions(args)
  await buildFramework()
  const pinning = await findPinning()
  const load = await findLoad(pinning.load)
  const server = await AskedProcess.start(
    `${import.meta.dirname}/server.ts`,
    [String(port), String(windowMs)],
    {
      label: 'the server',
      pin: pinning.server,
    },
  )
  try {
    // It goes on for longer than the rounds take, and its own count is of no use here.
    const warming = await load.burst({ url }, 50, 5)
    if (warming.requests === 0) throw new Error('the server answered nothing')
    const seconds = Math.ceil((rounds * 2 * windowMs * 1.1) / 1000) + 1
    const burst = load.burst({ url }, 50, seconds)
    const { played } = await server.ask(rounds, isOutcome)
    await burst
    const facts = [
      ...machineFacts(),
      `Load: ${load.description}, 50 connections, ${pinning.description}`,
    ]
    const report = reportOf(played, [...facts, `Rounds: ${rounds}, ${windowMs} ms for each side`])
    console.log(report)
    if (rounds >= 6) await writeReport('telemetry', report)
    return check && isMissed(target(played)) ? 1 : 0
  } finally {
    await server.stop()
  }
}

function isOutcome(answer: unknown): answer is { readonly played: readonly Round[] } {
  return typeof answer === 'object' && answer !== null && 'played' in answer
}

function target(rounds: readonly Round[]): Target {
  const figure = figureOf(rounds.map(({ on, off }) => 1 - off / on))
  const percent = (share: number): string => (share * 100).toFixed(1)
  const { low, high } = figure.interval
  return {
    claim: 'telemetry costs at most 3 % of HTTP throughput',
    measured: `${percent(figure.median)} % (${percent(low)} to ${percent(high)})`,
    verdict: judge(figure, (share) => share <= most),
  }
}

function reportOf(rounds: readonly Round[], facts: readonly string[]): string {
  const micros = (values: readonly number[]): string => median(values).toFixed(2)
  return [
    '# Telemetry benchmark',
    'Written by `npm run bench -- telemetry`. One server answers JSON and measures its requests by turns, a moment with and a moment without. ' +
      'What is compared is the CPU of a request in that one process, round by round; with a full core that is the throughput.',
    facts.map((fact) => `- ${fact}`).join('\n'),
    `A request takes ${micros(rounds.map(({ on }) => on))} µs with telemetry and ${micros(rounds.map(({ off }) => off))} µs without.`,
    targetsSection([target(rounds)]),
    '',
  ].join('\n\n')
}
