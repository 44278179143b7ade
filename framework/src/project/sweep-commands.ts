import { printable } from '../base/encoding/printable.ts'
import { frameworkCode } from '../base/error-codes.ts'
import { maskText } from '../base/mask-text.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { textTable } from '../base/terminal/text-table.ts'
import { className } from '../errors/reports/class-name.ts'
import { trace } from '../tracing/trace.ts'
import { sweepAll } from './sweeps.ts'
import type { Swept, Sweeps } from './sweeps.ts'

/** Deletes expired rows from the stores of a project. The status is not 0 if one of them failed. */
export async function sweepCommand(
  sweeps: Sweeps,
  { json }: { readonly json: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  const results = await trace('framework sweep', () => sweepAll(sweeps))
  terminal.out(json ? jsonOf(results) : tableOf(results, terminal))
  for (const { name, error } of results) if (error !== null) printError(name, error, terminal)
  return results.some(({ error }) => error !== null) ? ExitStatus.UserError : ExitStatus.Ok
}

function jsonOf(results: readonly Swept[]): string {
  const rows = results.map(({ name, dropped, error }) => ({
    name,
    dropped,
    error: error === null ? null : codeOf(error),
  }))
  return `${JSON.stringify(rows, null, 2)}\n`
}

function tableOf(results: readonly Swept[], terminal: Terminal): string {
  if (results.length === 0) {
    return 'there is nothing to sweep: the project has no "sweeps" in defineProject()\n'
  }
  const rows = results.map(({ name, dropped }) => [
    printable(name),
    dropped === null ? terminal.paint.red('failed') : String(dropped),
  ])
  return textTable(['name', 'dropped'], rows, terminal)
}

function printError(name: string, error: Error, terminal: Terminal): void {
  const { red, dim } = terminal.errorPaint
  // The error of a project's own store may contain a URL with a password.
  const text = printable(`${name}: ${maskText(error.message)}`)
  terminal.err(`${red('error')} ${text} ${dim(`[${codeOf(error)}]`)}\n`)
}

function codeOf(error: Error): string {
  return frameworkCode(error) ?? className(error)
}
