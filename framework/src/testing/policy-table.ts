import { AssertionError } from 'node:assert'
import type { Policy } from '../accounts/guards/allow.ts'

/** A policy and the names of those it allows; it must refuse everybody else. */
export type PolicyRow<Who, Item, Name extends string> = readonly [
  policy: Policy<Who, Item>,
  allowed: readonly NoInfer<Name>[],
]

/**
 * Asks every policy about everybody and compares the results with a table: `policyTable({ owner, stranger
 * }, note, [[mayRead, ['owner', 'stranger']], [mayEdit, ['owner']]])`.
 * @throws AssertionError that lists each wrong result.
 */
export async function policyTable<Who, Item, const Name extends string>(
  people: Readonly<Record<Name, Who>>,
  record: Item,
  rows: readonly PolicyRow<NoInfer<Who>, NoInfer<Item>, Name>[],
): Promise<void> {
  const wrong: string[] = []
  for (const [policy, allowed] of rows) {
    const expected = new Set<string>(allowed)
    for (const [name, who] of Object.entries<Who>(people)) {
      const result: unknown = await policy(who, record)
      const isAllowed = result === true
      if (isAllowed === expected.has(name)) continue
      wrong.push(`${policy.name || 'a policy'} ${isAllowed ? 'allows' : 'refuses'} ${name}`)
    }
  }
  if (wrong.length === 0) return
  throw new AssertionError({ message: wrong.join('\n'), stackStartFn: policyTable })
}
