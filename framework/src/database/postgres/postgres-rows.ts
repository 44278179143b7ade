import type { CustomTypesConfig } from 'pg'

/** Returns every value as the text that the server sent. */
export const rawValues: CustomTypesConfig = { getTypeParser: () => (text: string) => text }

const asNumber = Number
const asBytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const parseJson = (text: string): unknown => JSON.parse(text)

/** By type OID. Everything else, notably decimals and times, stays text. */
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

/** By type OID: integers as numbers, 64-bit ones as bigint, JSON parsed, bytes as bytes. */
export const plainValues: CustomTypesConfig = {
  getTypeParser: (type: number) => readers[type] ?? asText,
}

function asText(text: string): string {
  return text
}
