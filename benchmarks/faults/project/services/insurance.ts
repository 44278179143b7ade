import { planted } from '../fault.ts'

/** Tells the insurance that an instrument was lent. */
export async function tellInsurance(instrument: number): Promise<void> {
  if (!planted('fetch')) return
  const body = JSON.stringify({ instrument })
  await fetch('http://127.0.0.1:2/loans', { method: 'POST', body }) // planted: fetch
}
