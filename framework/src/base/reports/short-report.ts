import { printable } from '../encoding/printable.ts'
import { maskText } from '../mask-text.ts'
import { className } from './class-name.ts'
import { messageOf } from './message-of.ts'

/**
 * Class and message, for when a whole report cannot be had: its files are gone, or no file can be
 * opened any more.
 */
export function shortReport(error: Error): string {
  return `${printable(`${maskText(className(error))}: ${messageOf(error)}`)}\n`
}
