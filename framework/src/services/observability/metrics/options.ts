import { InvalidArgumentException } from '../../../base/errors.ts'
import { createLabels } from '../labels.ts'
import type { Labels } from '../labels.ts'
import { checkMetricName } from '../metric-name.ts'
import { quote } from '../quote.ts'

/** Series that `with` makes unless told otherwise. */
export const defaultCap = 1_000

/** What every kind of instrument may be told. */
export interface InstrumentOptions {
  /** A sentence for whoever reads the metric. */
  readonly help?: string
  readonly labels?: Labels
  /** How many series `with` makes before the rest go to the one labelled `overflow="true"`; 1,000 unless given. */
  readonly cap?: number
  /** Told once, when the first series goes to overflow; a process warning unless given. */
  readonly onOverflow?: (name: string, cap: number) => void
}

/** What every instrument knows about itself. */
export interface Head {
  readonly name: string
  readonly help: string
  readonly labels: Labels
}

/**
 * Checks what all instruments share.
 * @throws InvalidArgumentException for a name, help, label or cap that cannot be used.
 */
export function completeHead(
  name: string,
  { help = '', labels = {}, cap = defaultCap }: InstrumentOptions,
): Head {
  checkMetricName(name)
  if (typeof help !== 'string') refuse(`the help of ${name} is a text; got ${quote(help)}`)
  if (!Number.isSafeInteger(cap) || cap < 1) {
    refuse(`the cap of ${name} is a whole number of at least 1; got ${String(cap)}`)
  }
  return { name, help, labels: createLabels(labels) }
}

function refuse(message: string): never {
  throw new InvalidArgumentException('E_INVALID_ARGUMENT', message)
}
