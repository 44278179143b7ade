import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { machineFacts } from '../method/machine-facts.ts'
import { markdownTable } from '../method/markdown-table.ts'
import { parseFlags } from '../method/parse-flags.ts'
import { shuffled } from '../method/shuffled.ts'
import { median } from '../method/statistics.ts'
import { writeReport } from '../method/write-report.ts'
import { buildFramework } from '../setup/build-framework.ts'
import { drawn } from './curve.ts'
import type { Curve, Drawn } from './curve.ts'
import type { Ground } from './ground.ts'
import { pictureOf } from './picture.ts'

const help = `Options of the growth benchmark:
  --rounds <n>   measured rounds (default 9)
  --quick        3 rounds of at most 10,000 of each; the report and the picture are left alone
  --only <parts> the curves of these: rows, sessions, devices, queue, inbox, routes, series, languages, redis
  --check        end with status 1 when a curve grows faster than stated`

const picture = join(import.meta.dirname, '..', '..', 'docs', 'images', 'growth.svg')

/** How far each is measured. */
const largest = {
  rows: 10_000_000,
  sessions: 1_000_000,
  devices: 1_000_000,
  queue: 1_000_000,
  inbox: 10_000,
  routes: 10_000,
  series: 100_000,
  languages: 100,
} as const
type Parts = keyof typeof largest

/** Measures what costs do when a product grows; the exit status. */
export async function runGrowth(args: string[]): Promise<number> {
  const { rounds, quick, check, list } = parseFlags(args, { rounds: 9, lists: ['only'], help })
  await buildFramework()
  const facts = [...machineFacts()]
  const isChosen = (part: string): boolean =>
    list('only').length === 0 || list('only').includes(part)
  const { openGround } = await import('./ground.ts')
  const ground = await openGround()
  const done: Drawn[] = []
  try {
    for (const [part, open] of Object.entries(await parts(ground))) {
      if (!isChosen(part)) continue
      const most = Object.entries(largest).find(([name]) => name === part)?.[1] ?? 0
      console.error(`${part}: up to ${most}`)
      done.push(...(await play(await open(sizesTo(quick ? Math.min(most, 10_000) : most)), rounds)))
    }
  } finally {
    await ground.close()
  }
  facts.push(`Load average when the run ended: ${loadavg()[0]?.toFixed(2)}`)
  const { redisCosts } = await import('./redis-costs.ts')
  const redis = isChosen('redis') ? await redisCosts() : []
  const bytes = [...ground.rowBytes].map(([name, each]) => [name, each.toFixed(0)])
  const report = reportOf(done, { bytes, redis }, rounds, facts)
  console.log(report)
  if (rounds >= 6 && list('only').length === 0) {
    await writeReport('growth', report)
    await writeFile(picture, pictureOf(done))
  }
  return check && done.some(({ holds }) => !holds) ? 1 : 0
}

// Loaded when there is a build.
async function parts(
  ground: Ground,
): Promise<Readonly<Record<Parts, (sizes: readonly number[]) => Curve[] | Promise<Curve[]>>>> {
  const { rowCurves } = await import('./curves/rows.ts')
  const { deviceCurves, sessionCurves } = await import('./curves/people.ts')
  const { queueCurves } = await import('./curves/queue.ts')
  const { inboxCurves, languageCurves, routeCurves, seriesCurves } =
    await import('./curves/process.ts')
  return {
    rows: (sizes) => rowCurves(ground, sizes),
    sessions: (sizes) => sessionCurves(ground, sizes),
    devices: (sizes) => deviceCurves(ground, sizes),
    queue: (sizes) => queueCurves(ground, sizes),
    inbox: (sizes) => inboxCurves(ground, sizes),
    routes: routeCurves,
    series: seriesCurves,
    languages: languageCurves,
  }
}

/** From a thousand, or from a thousandth of it, by tens. */
function sizesTo(most: number): readonly number[] {
  const sizes: number[] = []
  for (let size = most; size >= 1 && sizes.length < 5; size /= 10) sizes.unshift(size)
  return sizes
}

/** All sizes of all curves take turns in each round, so that a noisy moment falls on all of them. */
async function play(curves: readonly Curve[], rounds: number): Promise<readonly Drawn[]> {
  const measured = curves.flatMap((curve) =>
    [...curve.cases].map(([size, one]) => ({ curve, size, one, values: [0].slice(1) })),
  )
  for (const { one } of measured) await one.measure()
  for (let round = 0; round < rounds; round += 1) {
    for (const { one, values } of shuffled(measured)) values.push(await one.measure())
  }
  for (const { one } of measured) await one.close?.()
  return curves.map((curve) =>
    drawn(
      curve,
      measured
        .filter((entry) => entry.curve === curve)
        .map(({ size, values }) => [size, median(values)] as const),
    ),
  )
}

function reportOf(
  done: readonly Drawn[],
  { bytes, redis }: Readonly<Record<'bytes' | 'redis', readonly (readonly string[])[]>>,
  rounds: number,
  facts: readonly string[],
): string {
  const sections = [...Map.groupBy(done, ({ group }) => group)].map(([group, curves]) => {
    const sizes = curves[0]?.points.map(([size]) => size.toLocaleString('en-GB')) ?? []
    const rows = curves.map(({ name, unit, points, shape, exponent, holds }) => [
      `${name}, ${unit}`,
      ...points.map(([, cost]) => cost.toPrecision(3)),
      exponent.toFixed(2),
      `${shape}${holds ? '' : ': NOT met'}`,
    ])
    return [`## ${group}`, markdownTable([group, ...sizes, 'exponent', 'stated'], rows)].join(
      '\n\n',
    )
  })
  return [
    '# Growth',
    'Written by `npm run bench -- growth`. What one call takes when there is more of what it works on: the median of rounds in which all sizes take turns. The exponent is that of the upper half of the sizes: with 0.5, four times as many take twice as long; 0 is constant and 1 linear. A curve is stated as constant (at most 0.1), logarithmic (0.25, an index) or linear (1.1).',
    [
      ...facts,
      `Rounds: ${rounds}, 60 ms of each size`,
      'SQL: PostgreSQL, in a process on the same machine',
    ]
      .map((fact) => `- ${fact}`)
      .join('\n'),
    ...sections,
    '## Bytes of a row',
    'On PostgreSQL, with its part of the indexes, when the largest table above was filled.',
    markdownTable(['Table', 'bytes'], bytes),
    '## What Redis takes',
    'Microseconds of its CPU for one call, with a hundred under way, and how many of them one Redis does in a second. Bytes are those of its memory.',
    markdownTable(['Call', 'µs', 'a second'], redis),
    '',
  ].join('\n\n')
}
