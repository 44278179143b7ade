import { printable } from '../../base/encoding/printable.ts'
import { maskText } from '../../base/mask-text.ts'
import { className } from './class-name.ts'
import { messageOf } from '../../base/message-of.ts'

/** Class and message, for when a full report fails, such as with no file descriptors left. */
export function shortReport(error: Error): string {
  return `${printable(`${maskText(className(error))}: ${messageOf(error)}`)}\n`
}
