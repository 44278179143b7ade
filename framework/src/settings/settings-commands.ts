import { printable } from '../base/encoding/printable.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { textTable } from '../base/terminal/text-table.ts'
import type { EffectiveRow } from './effective-table.ts'
import type { Environments } from './environments.ts'

/** What `framework config` prints, and how. */
export interface ListSettingsOptions {
  readonly settings: readonly EffectiveRow[]
  readonly environment: Environments
  readonly json: boolean
}

/** Prints the effective settings, whose secrets are masked, as a table or JSON. */
export function listSettings(
  { settings, environment, json }: ListSettingsOptions,
  terminal: Terminal,
): ExitStatus {
  if (json) {
    terminal.out(`${JSON.stringify({ environment, settings }, null, 2)}\n`)
    return ExitStatus.Ok
  }
  const { dim } = terminal.paint
  const rows = settings.map(({ scope, variable, value, origin, meaning }) => [
    scope,
    variable,
    value === '' ? dim('(empty)') : printable(value),
    origin === 'default' ? dim(origin) : origin,
    dim(meaning),
  ])
  terminal.out(`${dim('environment')}  ${environment}\n\n`)
  terminal.out(textTable(['scope', 'variable', 'value', 'origin', 'meaning'], rows, terminal))
  return ExitStatus.Ok
}
