/** The variables that say whether output is coloured. */
export type ColorVariables = Readonly<Record<string, string | undefined>>

/** Whether to colour: `NO_COLOR` says no, then `FORCE_COLOR` decides, else a screen is coloured. */
export function wantsColor(variables: ColorVariables, screen: boolean): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force } = variables
  if (no !== '') return false
  if (force !== undefined) return force !== '0' && force !== 'false'
  return screen && variables['TERM'] !== 'dumb'
}
