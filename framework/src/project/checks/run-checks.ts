import { maskText } from '../../base/mask-text.ts'
import { toError } from '../../base/to-error.ts'
import type { CheckContext } from './check-context.ts'
import { checks } from './checks.ts'
import { warning } from './finding.ts'
import type { Finding } from './finding.ts'

/** A finding and the name of the check that found it. */
export interface NamedFinding extends Finding {
  readonly check: string
}

/** Returns the findings of a project. */
export type ProjectChecks = () => readonly Finding[] | Promise<readonly Finding[]>

/**
 * Runs all checks of the framework, then those of the project as the check `project`. Errors come
 * first, notes last. A check that fails is itself a finding: one broken check must not hide the others.
 */
export async function runChecks(
  context: CheckContext,
  projectChecks: ProjectChecks = () => [],
): Promise<NamedFinding[]> {
  const all: readonly (readonly [string, ProjectChecks])[] = [
    ...Object.entries(checks).map(([name, check]) => [name, () => check(context)] as const),
    ['project', projectChecks],
  ]
  const found: NamedFinding[] = []
  for (const [check, run] of all) {
    for (const { level, what, why, fix } of await findingsOf(check, run)) {
      found.push({ check, level, what, why, fix })
    }
  }
  const ofLevel = (wanted: Finding['level']): NamedFinding[] =>
    found.filter(({ level }) => level === wanted)
  return [...ofLevel('error'), ...ofLevel('warning'), ...ofLevel('note')]
}

async function findingsOf(name: string, run: ProjectChecks): Promise<readonly Finding[]> {
  try {
    return await run()
  } catch (thrown) {
    const what = `the check ${name} failed: ${maskText(toError(thrown).message)}`
    return [warning(what, 'what it looks for is not known', 'fix what the message names')]
  }
}
