import type { NamedFinding } from '../project/checks/run-checks.ts'
import { printable } from '../base/encoding/printable.ts'
import type { Paints } from '../base/terminal/paints.ts'

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
  return [counted(errors, 'error'), counted(findings.length - errors, 'warning')]
    .filter((part) => part !== '')
    .join(' and ')
}

function counted(count: number, noun: string): string {
  if (count === 0) return ''
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
