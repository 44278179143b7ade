/**
 * A place in the order of all events of a log. The epoch is new when a log begins anew, in milliseconds;
 * the sequence counts its events without a gap.
 */
export interface Position {
  readonly epoch: number
  readonly sequence: number
}

/** Before the first event of a log that has never had one. */
export const origin: Position = Object.freeze({ epoch: 0, sequence: 0 })

const form = /^(\d{1,15})-(\d{1,15})$/

/** The position of an id such as `1767225600000-42`; null for any other text. */
export function parsePosition(id: string): Position | null {
  const match = form.exec(id)
  return match === null ? null : { epoch: Number(match[1]), sequence: Number(match[2]) }
}

/** The id of a position, which has the form of an id of a Redis stream. */
export function formatPosition({ epoch, sequence }: Position): string {
  return `${epoch}-${sequence}`
}

/** Below 0 if the first position comes before the second, 0 if they are equal. */
export function comparePositions(first: Position, second: Position): number {
  return first.epoch - second.epoch || first.sequence - second.sequence
}

/** Whether nothing can be between two positions. */
export function isNext(before: Position, after: Position): boolean {
  if (before.epoch === after.epoch) return after.sequence === before.sequence + 1
  return before.epoch === 0 && after.sequence === 1
}
