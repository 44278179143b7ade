import { ConfigurationError, invalidArgument } from '../base/errors.ts'
import type { EnvSource, Given } from './env-source.ts'
import { isSecretVariable } from './variable.ts'
import type { Variable } from './variable.ts'

/** The variables of a scope, by the name of their values in code. */
export type Variables = Readonly<Record<string, Variable<unknown>>>

/** A named part of the configuration. */
export interface ConfigScope<V extends Variables = Variables> {
  readonly name: string
  readonly variables: V
}

/** Scopes by the name of their values in code. */
export type ConfigScopes = Readonly<Record<string, ConfigScope>>

/** The values of a scope. */
export type ValuesOf<S extends ConfigScope> = {
  readonly [Key in keyof S['variables']]: S['variables'][Key] extends Variable<infer T> ? T : never
}

/** The values of several scopes. */
export type ValuesOfScopes<S extends ConfigScopes> = { readonly [Key in keyof S]: ValuesOf<S[Key]> }

/**
 * Declares a part of the configuration: `scope('mail', { host: env.string('MAIL_HOST', …) })`.
 * @throws InvalidArgumentException for an empty name.
 */
export function scope<const V extends Variables>(name: string, variables: V): ConfigScope<V> {
  if (name === '') {
    throw invalidArgument('a configuration scope needs a name')
  }
  return Object.freeze({ name, variables: Object.freeze({ ...variables }) })
}

/**
 * Reads every variable of every scope. The values are frozen.
 * @throws ConfigurationError that lists all invalid values, not just the first.
 */
export function readScopes<S extends ConfigScopes>(
  scopes: S,
  source: EnvSource,
): ValuesOfScopes<S> {
  const problems: Problem[] = []
  const values: Record<string, unknown> = {}
  for (const [key, { variables }] of Object.entries(scopes)) {
    values[key] = Object.freeze(readVariables(variables, source, problems))
  }
  if (problems.length > 0) {
    const missing = problems.every(({ given }) => given === null)
    const code = missing ? 'E_CONFIG_MISSING' : 'E_CONFIG_INVALID'
    throw new ConfigurationError(code, describeProblems(problems))
  }
  // The loop has set a value for each key of each scope, or thrown.
  return Object.freeze(values) as ValuesOfScopes<S>
}

/** The text given for a variable, or null. Empty text counts only for kinds that accept it. */
export function given({ name, acceptsEmpty }: Variable<unknown>, source: EnvSource): Given | null {
  const found = source.lookup(name)
  return found !== null && found.text === '' && !acceptsEmpty ? null : found
}

function readVariables(
  variables: Variables,
  source: EnvSource,
  problems: Problem[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [key, variable] of Object.entries(variables)) {
    const found = given(variable, source)
    const value = found === null ? variable.fallback?.value : variable.parse(found.text)
    if (value === undefined) problems.push({ variable, given: found })
    values[key] = value
  }
  return values
}

/** A variable with an invalid value, or a required one without a value. */
interface Problem {
  readonly variable: Variable<unknown>
  readonly given: Given | null
}

/** Lists what was expected for each variable, what it got and from where. Secrets are not shown. */
function describeProblems(problems: readonly Problem[]): string {
  const lines = problems.map((problem) => `  ${describe(problem)}`)
  const count = lines.length === 1 ? 'a setting' : `${lines.length} settings`
  return [`${count} cannot be used:`, ...lines].join('\n')
}

function describe({ variable, given }: Problem): string {
  const { name, expects, meaning } = variable
  if (given === null) {
    return `${name} (${meaning}) is required: expected ${expects}, got nothing; set it in the environment or in .env`
  }
  const got = showValue(variable, given.text)
  return `${name} (${meaning}) must be ${expects}, got ${got} from ${given.origin}`
}

function showValue(variable: Variable<unknown>, text: string): string {
  // An invalid URL may still contain a password before its @.
  if (isSecretVariable(variable) || text.includes('@'))
    return `a value of ${text.length} characters`
  return JSON.stringify(text)
}
