import type { BannerLine } from '../project/project.ts'
import type { Terminal } from '../base/terminal/terminal.ts'

export interface BannerContents {
  readonly name: string
  readonly url: string
  readonly environment: string
  readonly workers: number
  /** The project's own lines, such as its database and how it sends mail. */
  readonly lines: readonly BannerLine[]
}

/** The text shown when a project is being served: a block on a screen, one line in a log. */
export function banner(contents: BannerContents, { screen, paint }: Terminal): string {
  const lines: BannerLine[] = [
    { label: 'environment', value: contents.environment },
    { label: 'workers', value: String(contents.workers) },
    ...contents.lines,
    { label: 'pid', value: String(process.pid) },
  ]
  if (!screen) {
    const fields = lines.map(({ label, value }) => `${label}=${quoted(value)}`)
    return `${contents.name} serves ${contents.url} ${fields.join(' ')}\n`
  }
  const width = Math.max(...lines.map(({ label }) => label.length))
  const rows = lines.map(({ label, value }) => `  ${paint.dim(label.padEnd(width))}  ${value}`)
  const head = `  ${paint.bold(contents.name)} serves ${paint.cyan(contents.url)}`
  return ['', head, '', ...rows, '', paint.dim('  Press Ctrl-C to stop.'), '', ''].join('\n')
}

function quoted(value: string): string {
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}
