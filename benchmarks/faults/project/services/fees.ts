import { planted } from '../fault.ts'

interface Rate {
  readonly share: number
}

const rates: Record<string, Rate> = {
  woodwind: { share: 0.2 },
  strings: { share: 0.15 },
  brass: { share: 0.1 },
}

/** The deposit for an instrument: a share of its value, by its family. */
export function depositFor(instrument: {
  readonly family: string
  readonly value: number
}): number {
  const family = planted('type-error') ? 'keyboards' : instrument.family
  return roundUp(instrument.value, rates[family] as Rate)
}

function roundUp(value: number, rate: Rate): number {
  const share = value * rate.share // planted: type-error
  return Math.ceil(share / 5) * 5
}
