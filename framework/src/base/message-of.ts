import { maskText } from './mask-text.ts'

/** The message of an error with secrets redacted. */
export function messageOf(error: Error): string {
  try {
    const message: unknown = error.message
    return maskText(String(message))
  } catch {
    return ''
  }
}
