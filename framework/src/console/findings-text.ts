import type { NamedFinding } from '../app/checks/run-checks.ts'
import { printable } from '../base/encoding/printable.ts'
import type { Paints } from './paints.ts'

/** The findings of `framework check` for people: what, why and what to do, and their number. */
export function findingsText(findings: readonly NamedFinding[], paint: Paints): string {
  if (findings.length === 0) return 'framework check found no problems\n'
  const blocks = findings.map((finding) => blockOf(finding, paint))
  return `framework check found ${numbersOf(findings)}:\n\n${blocks.join('\n')}`
}

function blockOf({ level, check, what, why, fix }: NamedFinding, paint: Paints): string {
  const label = level === 'error' ? paint.red('error  ') : paint.yellow('warning')
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
