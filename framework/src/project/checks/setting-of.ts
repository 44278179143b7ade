import { given } from '../../settings/scope.ts'
import type { Variable } from '../../settings/variable.ts'
import type { CheckContext } from './check-context.ts'

/** The value of a setting; undefined if the project does not have it, or its value is invalid. */
export function settingOf<T>(
  { scopes, source }: Pick<CheckContext, 'scopes' | 'source'>,
  variable: Variable<T>,
): T | undefined {
  if (!declaredNames(scopes).includes(variable.name)) return undefined
  const found = given(variable, source)
  return found === null ? variable.fallback?.value : variable.parse(found.text)
}

/** The names of all variables that the framework and the project declare. */
export function declaredNames(scopes: CheckContext['scopes']): string[] {
  return scopes.flatMap(({ variables }) => Object.values(variables).map(({ name }) => name))
}
