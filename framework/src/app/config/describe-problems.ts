import { isSecretVariable } from './is-secret-variable.ts'
import type { Given } from './env-source.ts'
import type { Variable } from './variable.ts'

/** A variable that cannot be used: what came does not fit, or nothing came and it is required. */
export interface Problem {
  readonly variable: Variable<unknown>
  readonly given: Given | null
}

/** Says for each variable what was expected, what came and from where. Secrets stay untold. */
export function describeProblems(problems: readonly Problem[]): string {
  const lines = problems.map((problem) => `  ${describe(problem)}`)
  const count = lines.length === 1 ? 'a setting' : `${lines.length} settings`
  return [`${count} cannot be used:`, ...lines].join('\n')
}

function describe({ variable, given }: Problem): string {
  const { name, expects, meaning } = variable
  if (given === null) {
    return `${name} (${meaning}) is required: expected ${expects}, got nothing; set it in the environment or in .env`
  }
  const came = showValue(variable, given.text)
  return `${name} (${meaning}) must be ${expects}, got ${came} from ${given.origin}`
}

function showValue(variable: Variable<unknown>, text: string): string {
  // A URL that does not parse may still hold a password somewhere before its @.
  if (isSecretVariable(variable) || text.includes('@'))
    return `a value of ${text.length} characters`
  return JSON.stringify(text)
}
