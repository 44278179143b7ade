import type { CustomTypesConfig } from 'pg'

/** Hands every value over as the text that the server wrote. */
export const rawValues: CustomTypesConfig = { getTypeParser: () => (text: string) => text }

const asNumber = Number
const asBytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const parseJson = (text: string): unknown => JSON.parse(text)

/** By number of the type. Everything else, decimals and times above all, stays text. */
const readers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  17: asBytes,
  20: BigInt,
  21: asNumber,
  23: asNumber,
  26: asNumber,
  114: parseJson,
  700: asNumber,
  701: asNumber,
  3802: parseJson,
}

/** By number of the type: integers as numbers, 64-bit ones as bigint, JSON parsed, bytes as bytes. */
export const plainValues: CustomTypesConfig = {
  getTypeParser: (type: number) => readers[type] ?? asText,
}

function asText(text: string): string {
  return text
}
