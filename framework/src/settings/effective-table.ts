import type { EnvSource } from './env-source.ts'
import { given } from './scope.ts'
import type { ConfigScope } from './scope.ts'
import { isSecretVariable } from './variable.ts'
import type { Variable } from './variable.ts'

/** One setting as `framework config` shows it. */
export interface EffectiveRow {
  readonly scope: string
  readonly variable: string
  /** The value in force, masked if it is secret. */
  readonly value: string
  /** `the environment`, a file, or `default`. */
  readonly origin: string
  readonly meaning: string
}

const mask = '********'
const userInfo = /(:\/\/)[^/?#\s]*@/g

/**
 * The settings in force, scope by scope, with secrets and the user part of URLs masked. `derived`
 * holds the values of variables whose default depends on other settings.
 */
export function effectiveTable(
  scopes: readonly ConfigScope[],
  source: EnvSource,
  derived: ReadonlyMap<Variable<unknown>, unknown> = new Map(),
): EffectiveRow[] {
  return scopes.flatMap(({ name, variables }) =>
    Object.values(variables).map((variable) => effectiveRow(name, variable, source, derived)),
  )
}

function effectiveRow(
  scope: string,
  variable: Variable<unknown>,
  source: EnvSource,
  derived: ReadonlyMap<Variable<unknown>, unknown>,
): EffectiveRow {
  const found = given(variable, source)
  const fallback = derived.get(variable) ?? variable.fallback?.value
  const value = found === null ? fallback : variable.parse(found.text)
  return {
    scope,
    variable: variable.name,
    value: show(variable, value),
    origin: found?.origin ?? 'default',
    meaning: variable.meaning,
  }
}

function show(variable: Variable<unknown>, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (Array.isArray(value) && value.length === 0) return ''
  if (isSecretVariable(variable)) return mask
  const text = Array.isArray(value) ? value.join(', ') : plain(value)
  return text.replaceAll(userInfo, `$1${mask}@`)
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
