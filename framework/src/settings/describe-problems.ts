import { isSecretVariable } from './is-secret-variable.ts'
import type { Given } from './env-source.ts'
import type { Variable } from './variable.ts'

/** A variable with an invalid value, or a required one without a value. */
export interface Problem {
  readonly variable: Variable<unknown>
  readonly given: Given | null
}

/** Lists what was expected for each variable, what it got and from where. Secrets are not shown. */
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
  const got = showValue(variable, given.text)
  return `${name} (${meaning}) must be ${expects}, got ${got} from ${given.origin}`
}

function showValue(variable: Variable<unknown>, text: string): string {
  // An invalid URL may still contain a password before its @.
  if (isSecretVariable(variable) || text.includes('@'))
    return `a value of ${text.length} characters`
  return JSON.stringify(text)
}
