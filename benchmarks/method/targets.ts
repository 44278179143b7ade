import { markdownTable } from './markdown-table.ts'
import type { Figure } from './statistics.ts'

/** What the run says about a target. Uncertain: too few rounds, or the bound lies in the interval. */
export const Verdicts = {
  Met: 'met',
  MetUncertain: 'met, uncertain',
  Missed: 'NOT met',
  MissedUncertain: 'NOT met, uncertain',
  Unmeasured: 'not measured',
} as const
export type Verdicts = (typeof Verdicts)[keyof typeof Verdicts]

/** A promise of the project and what the run says about it. */
export interface Target {
  readonly claim: string
  readonly measured: string
  readonly verdict: Verdicts
}

/** Whether a verdict says that the target was missed. */
export function isMissed({ verdict }: Target): boolean {
  return verdict === Verdicts.Missed || verdict === Verdicts.MissedUncertain
}

/** Holds a figure against a bound. */
export function judge({ median, interval }: Figure, holds: (value: number) => boolean): Verdicts {
  const certain = interval.trusted && holds(interval.low) === holds(interval.high)
  if (holds(median)) return certain ? Verdicts.Met : Verdicts.MetUncertain
  return certain ? Verdicts.Missed : Verdicts.MissedUncertain
}

/** The targets as a section of a report. */
export function targetsSection(targets: readonly Target[]): string {
  const rows = targets.map(({ claim, measured, verdict }) => [claim, measured, verdict])
  const note =
    'Computed from this run: the median decides, and a verdict is uncertain with fewer than six ' +
    'rounds or when the bound lies inside the interval.'
  return `## Targets\n\n${note}\n\n${markdownTable(['Target', 'Measured', 'Verdict'], rows)}`
}
