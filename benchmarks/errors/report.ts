import { markdownTable } from '../method/markdown-table.ts'
import { median } from '../method/statistics.ts'
import { targetsSection } from '../method/targets.ts'
import type { ColdPage } from './cold-page.ts'
import { labels } from './renderers.ts'
import { bothOf, failureCost, microsOf, pageRatio, type Results } from './results.ts'
import { rangeOf, targetsOf } from './targets.ts'

/** The whole report as Markdown. */
export function reportOf(results: Results, facts: readonly string[]): string {
  return [
    '# Error benchmark',
    'Written by `npm run bench -- errors`. The method is explained in `benchmarks/README.md`.',
    facts.map((fact) => `- ${fact}`).join('\n'),
    pagesSection(results),
    coldSection(results),
    requestsSection(results),
    lossesSection(results),
    targetsSection(targetsOf(results)),
    '',
  ].join('\n\n')
}

function pagesSection(results: Results): string {
  const rows = results.pages.flatMap(({ again, edited, bytes }) =>
    [again, edited].map((series) => [
      series.label,
      microsOf(series, 'wallMicros').toFixed(0),
      microsOf(series, 'cpuMicros').toFixed(0),
      kilobytes(bytes),
    ]),
  )
  const ratios = (['again', 'edited'] as const).map((kind) => {
    const wall = rangeOf(pageRatio(results, kind, 'wallMicros'), 2, ' ×')
    const cpu = rangeOf(pageRatio(results, kind, 'cpuMicros'), 2, ' ×')
    return `${wall} as long and ${cpu} the CPU`
  })
  const note =
    'One process, warm, a fresh error of 22 frames each time. "After an edit" means that the file ' +
    'that throws was written anew before each page.'
  const compared = `Youch takes ${ratios[0]} of ours; after an edit ${ratios[1]}.`
  const table = markdownTable(['Page', 'µs', 'CPU µs', 'KB'], rows)
  return `## The page of a developer\n\n${note}\n\n${table}\n\n${compared}`
}

function coldSection({ cold }: Results): string {
  const rows = cold.map(({ renderer, pages }) => {
    const cell = (read: (page: ColdPage) => number): string => median(pages.map(read)).toFixed(1)
    return [
      labels[renderer],
      cell(({ loadMs }) => loadMs),
      cell(({ renderMs }) => renderMs),
      cell(firstPageMs),
    ]
  })
  const note = 'The first page of a process, with the time to load what makes it; medians.'
  const table = markdownTable(['Page', 'load ms', 'render ms', 'both ms'], rows)
  return `## The first page\n\n${note}\n\n${table}`
}

function requestsSection({ requests }: Results): string {
  const rows = requests.flatMap((score) => {
    const { plain, silent, logged } = score
    const cells = (kind: 'silent' | 'logged'): readonly string[] => [
      rangeOf(failureCost(score, kind, 'cpuMicros'), 1, ''),
      rangeOf(failureCost(score, kind, 'wallMicros'), 1, ''),
    ]
    return [
      [plain.label, cpuOf(plain), '', ''],
      [silent.label, cpuOf(silent), ...cells('silent')],
      [logged.label, cpuOf(logged), ...cells('logged')],
    ]
  })
  const note =
    'In production, in memory, without a socket. "More" is what the request whose handler throws ' +
    'takes beyond the one that answers the same number of bytes, by the processor and by the clock.'
  const table = markdownTable(['Request', 'CPU µs', 'more CPU µs', 'more µs'], rows)
  return `## A failing request in production\n\n${note}\n\n${table}`
}

function lossesSection(results: Results): string {
  const [ours, youch] = bothOf(results.pages)
  const [ourFirst, theirFirst] = bothOf(results.cold).map(({ pages }) => {
    return median(pages.map(firstPageMs))
  })
  const edited = pageRatio(results, 'edited', 'wallMicros').median
  const again = pageRatio(results, 'again', 'wallMicros').median
  const losses = [
    ...(again < 1 ? ['- A warm page takes us longer.'] : []),
    ...(edited < 1 ? ['- A page after an edit takes us longer.'] : []),
    ...((theirFirst ?? 0) < (ourFirst ?? 0) ? ['- The first page takes us longer.'] : []),
    ...(youch.bytes < ours.bytes
      ? [`- Our page is larger: ${kilobytes(ours.bytes)} against ${kilobytes(youch.bytes)} KB.`]
      : []),
  ]
  return `## Where we lose\n\n${losses.length === 0 ? 'Nowhere in this run.' : losses.join('\n')}`
}

function firstPageMs({ loadMs, renderMs }: ColdPage): number {
  return loadMs + renderMs
}

function cpuOf(series: Parameters<typeof microsOf>[0]): string {
  return microsOf(series, 'cpuMicros').toFixed(1)
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
