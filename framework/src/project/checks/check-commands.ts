import { printable } from '../../base/encoding/printable.ts'
import { maskText } from '../../base/mask-text.ts'
import { ExitStatus } from '../../base/terminal/terminal.ts'
import type { Paints } from '../../base/terminal/paints.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { toError } from '../../base/to-error.ts'
import { checkProject } from './check-project.ts'
import type { CheckProjectOptions, NamedFinding } from './check-project.ts'

/**
 * Prints what would hurt a project in production. If it may ask the database, before a release, the
 * status is 1 if there are errors.
 */
export async function checkCommand(
  options: CheckProjectOptions,
  { json }: { readonly json: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  const findings = await checkProject(options)
  terminal.out(
    json ? `${JSON.stringify(findings, null, 2)}\n` : findingsText(findings, terminal.paint),
  )
  const hasErrors = findings.some(({ level }) => level === 'error')
  return options.asksDatabase === true && hasErrors ? ExitStatus.UserError : ExitStatus.Ok
}

/** Prints the problems of a project whose server has started. It never throws: the server goes on. */
export async function printProblems(
  options: CheckProjectOptions,
  terminal: Terminal,
): Promise<void> {
  try {
    const findings = (await checkProject(options)).filter(({ level }) => level !== 'note')
    if (findings.length > 0) terminal.err(findingsText(findings, terminal.errorPaint))
  } catch (thrown) {
    terminal.err(`framework check failed: ${maskText(toError(thrown).message)}\n`)
  }
}

/** The findings of `framework check` for people: what, why and what to do, and their number. */
export function findingsText(findings: readonly NamedFinding[], paint: Paints): string {
  const problems = findings.filter(({ level }) => level !== 'note')
  const heading = problems.length === 0 ? 'no problems' : `${numbersOf(problems)}:`
  const blocks = findings.map((finding) => `\n${blockOf(finding, paint)}`)
  return `framework check found ${heading}\n${blocks.join('')}`
}

function blockOf({ level, check, what, why, fix }: NamedFinding, paint: Paints): string {
  const label = { error: paint.red, warning: paint.yellow, note: paint.dim }[level](level.padEnd(7))
  const indent = ' '.repeat(11)
  return [
    `  ${label}  ${paint.bold(printable(what))} ${paint.dim(`(${check})`)}\n`,
    `${indent}${printable(why)}\n`,
    `${indent}${paint.cyan('→')} ${printable(fix)}\n`,
  ].join('')
}

function numbersOf(findings: readonly NamedFinding[]): string {
  const errors = findings.filter(({ level }) => level === 'error').length
  return Object.entries({ error: errors, warning: findings.length - errors })
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => `${count} ${noun}${count === 1 ? '' : 's'}`)
    .join(' and ')
}
