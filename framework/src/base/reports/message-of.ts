import { maskText } from '../mask-text.ts'

/** The message of an error, secrets replaced. */
export function messageOf(error: Error): string {
  try {
    const message: unknown = error.message
    return maskText(String(message))
  } catch {
    return ''
  }
}
