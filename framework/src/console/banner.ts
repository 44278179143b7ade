import type { BannerLine } from '../web/projects/project.ts'
import type { Terminal } from './terminal.ts'

/** What a served project says about itself when it is up. */
export interface BannerFacts {
  readonly name: string
  readonly url: string
  readonly environment: string
  readonly workers: number
  /** Lines of the project's own: its database, its mail lane. */
  readonly lines: readonly BannerLine[]
}

/** Says that a project serves: a block for a person at a screen, one line for a log. */
export function banner(facts: BannerFacts, { screen, paint }: Terminal): string {
  const lines: BannerLine[] = [
    { label: 'environment', value: facts.environment },
    { label: 'workers', value: String(facts.workers) },
    ...facts.lines,
    { label: 'pid', value: String(process.pid) },
  ]
  if (!screen) {
    const fields = lines.map(({ label, value }) => `${label}=${quoted(value)}`)
    return `${facts.name} serves ${facts.url} ${fields.join(' ')}\n`
  }
  const width = Math.max(...lines.map(({ label }) => label.length))
  const rows = lines.map(({ label, value }) => `  ${paint.dim(label.padEnd(width))}  ${value}`)
  const head = `  ${paint.bold(facts.name)} serves ${paint.cyan(facts.url)}`
  return ['', head, '', ...rows, '', paint.dim('  Stop it with Ctrl-C.'), '', ''].join('\n')
}

function quoted(value: string): string {
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}
