import { InvalidArgumentException } from '../../base/errors.ts'
import { createLabels } from '../labels.ts'
import type { Labels } from '../labels.ts'
import { checkMetricName } from '../metric-name.ts'
import { quote } from '../quote.ts'

/** The default `cap`. */
export const defaultCap = 1_000

/** Options of every instrument. */
export interface InstrumentOptions {
  /** A sentence that describes the metric. @default '' */
  readonly help?: string
  readonly labels?: Labels
  /** How many series `with` creates; all others share one labelled `overflow="true"`. @default 1_000 */
  readonly cap?: number
  /** Called once, when the cap is exceeded. @default emits a process warning */
  readonly onOverflow?: (name: string, cap: number) => void
}

/** The properties that all instruments share. */
export interface InstrumentHead {
  readonly name: string
  readonly help: string
  readonly labels: Labels
}

/**
 * Validates the options that all instruments share and fills in defaults.
 * @throws InvalidArgumentException for an invalid name, help, label or cap.
 */
export function checkInstrumentOptions(
  name: string,
  { help = '', labels = {}, cap = defaultCap }: InstrumentOptions,
): InstrumentHead {
  checkMetricName(name)
  if (typeof help !== 'string') refuseOption(`help of ${name} must be a string; got ${quote(help)}`)
  if (!Number.isSafeInteger(cap) || cap < 1) {
    refuseOption(`cap of ${name} must be a whole number of at least 1; got ${String(cap)}`)
  }
  return { name, help, labels: createLabels(labels) }
}

function refuseOption(message: string): never {
  throw new InvalidArgumentException('E_INVALID_ARGUMENT', message)
}
