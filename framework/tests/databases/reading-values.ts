import * as fc from 'fast-check'
import { Orders } from '../../src/database/sql/plan/operators.ts'
import type { Reading } from './readings.ts'

/** One column of an order. */
export interface Direction {
  readonly column: keyof Reading
  readonly order: Orders
}

/** What happens to the table after a page was read. */
export interface Edit {
  readonly added: readonly Reading[]
  /** Places, in the list of rows there are, of those that go. */
  readonly dropped: readonly number[]
}

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

// Few values in each column, so that most rows tie with others, and the awkward ones among them.
const readingParts = {
  id: fc.oneof(fc.bigInt({ min: -20n, max: 20n }), near(2n ** 53n), int64),
  rank: fc.oneof(fc.integer({ min: -1, max: 1 }), fc.integer()),
  serial: fc.oneof(near(2n ** 53n), near(2n ** 62n), near(-(2n ** 53n))),
  price: fc
    .integer({ min: -3, max: 3 })
    .chain((whole) =>
      fc.constantFrom('000', '001', '010', '100', '999').map((part) => `${whole}.${part}`),
    ),
  ratio: fc.oneof(
    fc.constantFrom(0, 0.1, 0.2, 0.30000000000000004, -1e-7, 1e300, 5e-324),
    // Databases do not tell -0 from 0.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((ratio) => ratio + 0),
  ),
  flag: fc.boolean(),
  name: fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'a',
      'A',
      'a ',
      'ä',
      'Ä',
      'z',
      'ß',
      'ss',
      'ａ',
      '日本',
      '😀',
      '👩‍🚀',
      "'",
      '\\',
    ),
    fc.string({ maxLength: 6, unit: 'grapheme' }),
  ),
  day: fc.constantFrom('0001-01-01', '1999-12-31', '2024-02-29', '2026-01-31', '9999-12-31'),
  moment: fc
    .tuple(
      fc.constantFrom('1999-12-31 23:59:59', '2026-01-31 12:00:00'),
      fc.integer({ min: 0, max: 3 }),
    )
    .chain(([second, micros]) =>
      fc
        .constantFrom(0, 100, 1000, 999_000)
        .map((base) => `${second}.${String(base + micros).padStart(6, '0')}`),
    ),
}

const reading = fc.record<Reading>(readingParts, { noNullPrototype: true })

function near(center: bigint): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: center - 2n, max: center + 2n })
}

const columns: readonly (keyof Reading)[] = [
  'rank',
  'serial',
  'price',
  'ratio',
  'flag',
  'name',
  'day',
  'moment',
  'id',
]

/** Any order: any columns, in any sequence, each in any direction. */
export const anyOrder: fc.Arbitrary<Direction[]> = fc
  .shuffledSubarray([...columns], { maxLength: 4 })
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((column) =>
        fc.constantFrom(...Object.values(Orders)).map((order) => ({ column, order })),
      ),
    ),
  )

/** Rows with keys of their own. */
export const anyReadings: fc.Arbitrary<Reading[]> = fc.uniqueArray(reading, {
  maxLength: 24,
  size: 'max',
  selector: ({ id }) => id,
})

/** What happens between the pages of one walk; keys may clash, with rows there are too. */
export const anyEdits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    added: fc.array(reading, { maxLength: 3 }),
    dropped: fc.array(fc.nat({ max: 30 }), { maxLength: 3 }),
  }),
  { maxLength: 6, size: 'max' },
)
