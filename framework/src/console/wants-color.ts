export type ColorVariables = Readonly<Record<string, string | undefined>>

/** Whether to use colours: `NO_COLOR` turns them off, then `FORCE_COLOR` decides, then the screen. */
export function wantsColor(variables: ColorVariables, screen: boolean): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force } = variables
  if (no !== '') return false
  if (force !== undefined) return force !== '0' && force !== 'false'
  return screen && variables['TERM'] !== 'dumb'
}
